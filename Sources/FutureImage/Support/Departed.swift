/// The type of a lock's value that collects everything that is removed from it, so that the removed values are released after unlocking.
/// The removed values may own objects of the app, whose deinitializers may call the library.
protocol Departing {
  /// Moves the values that were removed since the lock was acquired. Nearly always, there are no such values.
  mutating func moveDeparted(to departed: inout Departed)
}

/// Values that were removed from a lock, to be released after unlocking.
struct Departed {
  private var values: [Any] = []
  /// Objects, such as the many jobs that end, are stored in an array of their own. Storing an object as `Any` would take much longer,
  /// because the runtime would have to find its type.
  private var objects: [AnyObject] = []

  mutating func add(_ value: Any) { values.append(value) }

  mutating func add(object: AnyObject) { objects.append(object) }

  /// Moves the objects out of the given array, and adds them.
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

  /// Releases the values. No lock may be held.
  consuming func release() {
    if !values.isEmpty || !objects.isEmpty { assertNoLockIsHeld() }
  }
}

extension Lock where Value: Departing {
  /// Calls `body` inside the lock. After unlocking, releases the values that `body` removed. The compiler prefers this method to the
  /// general `withLock`.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    var departed = Departed()
    defer { departed.release() }
    return try exclusively(in: self) { value in
      // Race: a value that is removed from a lock and released inside of it.
      defer { value.moveDeparted(to: &departed) }
      return try body(&value)
    }
  }
}

/// Calls the general `withLock`, because this function does not require the value to be `Departing`.
@inline(__always) private func exclusively<Value, Result>(
  in lock: Lock<Value>, _ body: (inout Value) throws -> Result
) rethrows -> Result { try lock.withLock(body) }
