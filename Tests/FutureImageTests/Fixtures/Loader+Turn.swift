@testable import FutureImage

extension FutureImage.Loader {
  /// Returns when the main actor has run all work that the loader has delivered so far.
  func turn() async {
    await withCheckedContinuation { continuation in deliver { continuation.resume() } }
  }
}
