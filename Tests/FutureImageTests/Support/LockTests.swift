import Foundation
import Testing

@testable import FutureImage

@Suite("Lock", .tags(.threads), .timeLimit(.minutes(5))) struct LockTests {
  private struct Stop: Error {}

  @Test func `no change is lost when many threads change the value`() {
    let lock = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<2_000 {
        lock.withLock { value in
          // Lets another thread run here, in case the lock does not exclude it.
          let old = value
          sched_yield()
          value = old + 1
        }
      }
    }
    #expect(lock.withLock { $0 } == 16_000)
  }

  @Test func `no thread sees a half-changed value`() {
    let lock = Lock((0, 0))
    let torn = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<20_000 {
        if thread.isMultiple(of: 2) {
          lock.withLock { $0 = (number, number) }
        } else if lock.withLock({ $0.0 != $0.1 }) {
          torn.withLock { $0 += 1 }
        }
      }
    }
    #expect(torn.withLock { $0 } == 0)
  }

  @Test func `a lock returns the result of its body`() {
    let lock = Lock([1, 2])
    #expect(lock.withLock { $0.popLast() } == 2)
    #expect(lock.withLock { $0 } == [1])
  }

  @Test func `if the body throws, the lock rethrows the error, is unlocked, and has the body's changes`() {
    let lock = Lock(0)
    #expect(throws: Stop.self) {
      try lock.withLock { value in
        value = 7
        throw Stop()
      }
    }
    #expect(lock.withLock { $0 } == 7)
  }

  @Test func `copies of a lock share its value`() {
    let lock = Lock(1)
    let copy = lock
    copy.withLock { $0 = 2 }
    #expect(lock.withLock { $0 } == 2)
  }

  @Test func `the value is released with the last copy of the lock`() {
    final class Held {}
    weak var seen: Held?
    do {
      let held = Held()
      seen = held
      let lock = Lock(held)
      #expect(lock.withLock { $0 } === seen)
    }
    #expect(seen == nil)
  }
}
