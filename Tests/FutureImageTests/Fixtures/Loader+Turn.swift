@testable import FutureImage

extension FutureImage.Loader {
  /// Returns when everything delivered so far has been shown.
  func turn() async {
    await withCheckedContinuation { continuation in deliver { continuation.resume() } }
  }
}
