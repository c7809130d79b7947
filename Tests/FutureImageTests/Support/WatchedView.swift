import FutureImage

@testable import FutureImageTesting

/// An image view that tells when it was given a picture.
@MainActor final class WatchedView: UIImageView {
  private let count = Observed(0)

  /// How often it was given one.
  var changes: Int { count.read { $0 } }

  override var image: UIImage? {
    didSet { count.update { $0 += 1 } }
  }

  func waitForChanges(_ count: Int) async { await self.count.wait { $0 >= count } }
}
