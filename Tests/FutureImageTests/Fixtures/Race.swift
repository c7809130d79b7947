import Foundation

@testable import FutureImage

/// Runs both closures at the same moment, each on its own thread, and returns when both have ended.
func race(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) async {
  let ready = Lock(0)
  let left = Lock(2)
  await withCheckedContinuation { continuation in
    for body in [first, second] {
      // Uses threads, because a queue may run one closure after the other.
      Thread.detachNewThread {
        ready.withLock { $0 += 1 }
        while ready.withLock({ $0 }) < 2 { sched_yield() }
        body()
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { continuation.resume() }
      }
    }
  }
}

/// Returns the number of rounds of a race: the given number or, under a sanitizer, a tenth of it. Under a sanitizer, a thread takes many
/// times as long to start.
func races(_ count: Int) -> Int { isSanitized ? count / 10 : count }
