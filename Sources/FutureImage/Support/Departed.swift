/// The value of a lock that collects what leaves it, so that nothing of the app's is released while the lock is held: the deinitializer of
/// an app's object may call the library.
protocol Departing {
  /// Moves what has left since the lock was taken. Nearly always there is nothing.
  mutating func moveDeparted(to departed: inout Departed)
}

/// Values that left a lock, to be released after unlocking.
struct Departed {
  private var values: [Any] = []
  /// Apart, since it takes the runtime much longer to find the type of a value, and jobs end all the time.
  private var objects: [AnyObject] = []

  mutating func add(_ value: Any) { values.append(value) }

  mutating func add(object: AnyObject) { objects.append(object) }

  /// Moves the objects.
  mutating func add(_ others: inout [AnyObject]) {
    if !others.isEmpty { Self.move(&others, to: &objects) }
  }

  mutating func move(to other: inout Departed) {
    if !values.isEmpty { Self.move(&values, to: &other.values) }
    other.add(&objects)
  }

  private static func move<Element>(_ elements: inout [Element], to others: inout [Element]) {
    if others.isEmpty { swap(&elements, &others) } else { others += elements }
    elements = []
  }

  /// Releases them. No lock may be held.
  consuming func release() {
    if !values.isEmpty || !objects.isEmpty { assertNoLockIsHeld() }
  }
}

extension Lock where Value: Departing {
  /// Chosen in place of the general one: what leaves the value lives until the lock is free again.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    var departed = Departed()
    defer { departed.release() }
    return try exclusively(in: self) { value in
      defer { value.moveDeparted(to: &departed) }
      return try body(&value)
    }
  }
}

/// The general `withLock`, which knows nothing of the value.
@inline(__always) private func exclusively<Value, Result>(
  in lock: Lock<Value>, _ body: (inout Value) throws -> Result
) rethrows -> Result { try lock.withLock(body) }
