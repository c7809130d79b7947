import Foundation

@testable import FutureImage

/// Runs both at the same moment, each on a thread of its own, and returns when both are done.
func race(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) async {
  let ready = Lock(0)
  let left = Lock(2)
  await withCheckedContinuation { continuation in
    for body in [first, second] {
      // Threads, for a queue may run one after the other.
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

/// How often a race is run that is usually run so often: under a sanitizer a thread takes many times as long to begin.
func races(_ count: Int) -> Int { isSanitized ? count / 10 : count }
