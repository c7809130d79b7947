import Foundation

@testable import FutureImage

/// Intentional faults of this program. The scheduler must report each fault with the stacks of all threads that take part.
enum SelfCheck: String, CaseIterable {
  /// Two threads take two locks in opposite orders.
  case opposite
  /// A thread takes a lock that it holds.
  case again
  /// A thread waits for something that never happens.
  case forever
  /// A function calls itself until the stack overflows.
  case overflow

  func run() {
    switch self {
    case .opposite:
      StressThreads.thread { Self.takeFirstThenSecond() }
      StressThreads.thread { Self.takeSecondThenFirst() }
    case .again: StressThreads.thread { Self.takeTwice() }
    case .forever: StressThreads.thread { Self.waitForever() }
    case .overflow: StressThreads.thread { _ = Self.callItself(0) }
    }
    simulator.rest()
  }

  private static let (first, second) = (Baton(), Baton())
  private static let (hasFirst, hasSecond) = (Latch(), Latch())

  private static func take(_ lock: Baton) { simulator.lock(Swift.ObjectIdentifier(lock), "a lock of the self-check", rank: 0) }

  // Latches make every seed lead to the deadlock.
  @inline(never) private static func takeFirstThenSecond() {
    take(first)
    hasFirst.open()
    hasSecond.wait()
    take(second)
  }

  @inline(never) private static func takeSecondThenFirst() {
    // Without this call, the compiler would merge the two functions.
    StressThreads.note("take the second lock first")
    take(second)
    hasSecond.open()
    hasFirst.wait()
    take(first)
  }

  @inline(never) private static func takeTwice() {
    take(first)
    take(first)
  }

  @inline(never) private static func waitForever() { Latch().wait() }

  // Because of the note, the compiler does not turn the recursion into a loop, which would never end.
  @inline(never) private static func callItself(_ depth: Int) -> Int {
    // No stack reaches this depth, but the compiler warns about a recursion without an end.
    let below = depth == .max ? 0 : callItself(depth + 1)
    StressThreads.note("return from \(below)")
    return below + 1
  }
}
