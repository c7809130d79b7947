import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("“I need the picture where there is no image view”", .tags(.threads), .timeLimit(.minutes(5))) struct NoViewTests {
  /// What a bar button item, an annotation or a text attachment has: a place for a picture that nobody watches.
  final class Target {
    var image: UIImage?
  }

  /// What a button is to a library that knows only image views: something of one's own that shows a picture.
  final class RoundButton: FutureImageBinding {
    private(set) var sets = 0
    var face: UIImage? { didSet { sets += 1 } }
    var image: UIImage? {
      get { face }
      set { face = newValue }
    }
    var pixelFitting: FutureImage.Fitting? { .fill(CGSize(width: 44, height: 44)) }
  }

  let shop = Shop(disk: .temporary())

  @Test func `whenReady hands the picture over, in the size that is asked for`() async {
    let target = Target()
    shop.future().whenReady(fitting: .fit(CGSize(width: 44, height: 44))) { [weak target] in target?.image = try? $0.get() }
    await shop.serve()
    #expect(target.image?.cgImage?.width == 75)
  }

  @Test func `a view of one's own shows a future beside an image view that shows it larger`() async {
    let (button, detail) = (RoundButton(), imageView(1200))
    let future = shop.future()
    button.futureImage = future
    await shop.serve()
    // Only now: a view may be lent the larger pixels of another, if they are here first.
    detail.futureImage = future
    await shop.loader.settled()
    #expect(button.face?.cgImage?.width == 75)
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(shop.held.requests.count == 1)
    #expect(button.futureImage == nil)
  }

  @Test func `a target that is gone when the picture comes is no fault`() async {
    var target: Target? = Target()
    shop.future().whenReady { [weak target] in target?.image = try? $0.get() }
    target = nil
    await shop.serve()
  }

  @Test func `what is shared is the whole picture`() async throws {
    let future = shop.future()
    async let picture = future.value
    await shop.serve()
    #expect(try await picture.jpegData(compressionQuality: 0.8)?.isEmpty == false)
    #expect(try await picture.cgImage?.width == 1200)
  }
}
