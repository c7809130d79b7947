@testable import FutureImage
@testable import FutureImageTesting

/// A random delay for app code that the library calls. Everything else continues during the delay.
final class RandomDelay: Sendable {
  private let random: Lock<SeededGenerator>

  init(seed: UInt64) { random = Lock(SeededGenerator(seed: ~seed), rank: .testing) }

  /// Blocks the calling thread for a while, or not at all.
  func take() {
    let pause = random.withLock { [0, 0, 1, 50, 500].randomElement(using: &$0) ?? 0 }
    if pause > 0 { StressThreads.pass(.milliseconds(pause)) }
  }
}
