import Foundation

/// A number that any thread can increment.
// Unchecked, because of `count`: it is read and written under the lock only.
package final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  package init() {}

  package var value: Int { lock.withLock { count } }
  package func increment() { lock.withLock { count += 1 } }
}
