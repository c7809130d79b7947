import FutureImage

@testable import FutureImageTesting

/// An image view that counts how often its image is set.
@MainActor final class WatchedView: UIImageView {
  private let count = Observed(0)

  /// The number of times that its image was set.
  var changes: Int { count.read { $0 } }

  override var image: UIImage? {
    didSet { count.update { $0 += 1 } }
  }

  func waitForChanges(_ count: Int) async { await self.count.wait { $0 >= count } }
}
