import Foundation

@testable import FutureImage

/// Faults of this program's own, each of which the scheduler must report: with the stacks of all threads that take part.
enum SelfCheck: String, CaseIterable {
  /// Two threads take two locks in opposite orders.
  case opposite
  /// A thread takes a lock that it has.
  case again
  /// A thread waits for something that never comes.
  case forever

  func run() {
    switch self {
    case .opposite:
      Together.thread { Self.takeFirstThenSecond() }
      Together.thread { Self.takeSecondThenFirst() }
    case .again: Together.thread { Self.takeTwice() }
    case .forever: Together.thread { Self.waitForever() }
    }
    simulator.rest()
  }

  private static let (first, second) = (Baton(), Baton())
  private static let (hasFirst, hasSecond) = (Latch(), Latch())

  private static func take(_ lock: Baton) { simulator.lock(Swift.ObjectIdentifier(lock), "a lock of the self-check", rank: 0) }

  // By latches, so that every seed leads there.
  @inline(never) private static func takeFirstThenSecond() {
    take(first)
    hasFirst.open()
    hasSecond.wait()
    take(second)
  }

  @inline(never) private static func takeSecondThenFirst() {
    // Else the compiler would make one function of the two.
    Together.note("take the second lock first")
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
}
