/// How large a run is, by its command line.
struct Scale {
  /// How many things each visitor does.
  var operations = 20
  /// How often a thread that could go on may be left for another.
  var preemptions = Int.max
  /// The threads or tasks that visitors act on, besides the main thread.
  var visitors = 3
  /// How many futures the visitors may hold at a time.
  var futures = 24

  /// - Parameter numbers: in the order of the properties; those that lack have their defaults.
  init(_ numbers: some Collection<UInt64>) {
    let paths: [WritableKeyPath<Scale, Int>] = [\.operations, \.preemptions, \.visitors, \.futures]
    for (path, number) in zip(paths, numbers) { self[keyPath: path] = Int(clamping: number) }
  }
}
