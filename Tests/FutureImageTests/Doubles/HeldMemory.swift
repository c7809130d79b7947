import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A memory tier that can block the thread that calls it, so that a test can act at just that moment. It stores one image for all keys.
final class HeldMemory: FutureImage.MemoryTier {
  enum Call { case store, remove }

  private struct State: Sendable {
    var image: UIImage?
    var holds: Call?
    var isHeld = false
  }

  /// Whether an instance holds a call, or will hold its next call. Only one instance does so at a time, because the blocked thread may
  /// belong to the thread pool of Swift, which has only one thread for each core.
  private static let isTaken = Observed(false)

  private let keeping: @Sendable (UIImage) -> UIImage
  private let state = Observed(State())
  private let turn = DispatchSemaphore(value: 0)

  /// - Parameter keeping: returns the image that is stored instead of the given one.
  init(keeping: @escaping @Sendable (UIImage) -> UIImage = { $0 }) { self.keeping = keeping }

  /// Holds the next call of the given kind, before the call changes anything. First waits until no other instance holds a call.
  func hold(_ call: Call) async {
    while !HeldMemory.take() { await HeldMemory.isTaken.wait { !$0 } }
    state.update { $0.holds = call }
  }

  /// Sets ``isTaken``. Returns false if it was already set.
  private static func take() -> Bool {
    isTaken.update { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }

  func waitForHeld() async { await state.wait { $0.isHeld } }

  func release() { turn.signal() }

  func image(forKey key: String) -> UIImage? { state.read { $0.image } }

  func store(_ image: UIImage, forKey key: String) {
    pass(.store)
    put(keeping(image))
  }

  func remove(forKey key: String) {
    pass(.remove)
    put(nil)
  }

  // The previous image is released outside the lock.
  private func put(_ image: UIImage?) {
    let old = state.update { state in
      defer { state.image = image }
      return state.image
    }
    withExtendedLifetime(old) {}
  }

  private func pass(_ call: Call) {
    let mustWait = state.update { state in
      guard state.holds == call else { return false }
      state.holds = nil
      state.isHeld = true
      return true
    }
    guard mustWait else { return }
    turn.wait()
    HeldMemory.isTaken.update { $0 = false }
  }
}
