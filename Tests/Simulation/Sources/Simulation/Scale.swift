/// The size of a run, from the command line.
struct Scale {
  /// The number of operations of each actor. An actor is a thread or a task that uses the library like an app.
  var operations = 20
  /// The maximum number of preemptions. In a preemption, another thread runs although the running thread could continue.
  var preemptions = Int.max
  /// The number of actors, besides the main thread.
  var actors = 3
  /// The number of futures that the actors may retain at a time.
  var futures = 24

  /// Creates the size of a run from numbers on the command line.
  /// - Parameter numbers: the values, in the order of the properties. A property without a value has its default.
  init(_ numbers: some Collection<UInt64>) {
    let paths: [WritableKeyPath<Scale, Int>] = [\.operations, \.preemptions, \.actors, \.futures]
    for (path, number) in zip(paths, numbers) { self[keyPath: path] = Int(clamping: number) }
  }
}
