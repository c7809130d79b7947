import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Views that show an image whose future is gone.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FollowedImageTests {
  private let shop = Shop()
  private let view = imageView(64)

  private var followers: [Reader] {
    shop.loader.state.withLock { state in state.pictures[SourceKey(Shop.url().absoluteString)]?.readers.filter(\.isFollower) ?? [] }
  }

  /// Whether the view follows an image whose future is gone.
  private var isFollowed: Bool { !followers.isEmpty }

  /// Shows an image in the view, and releases its future.
  private func show(
    _ colour: Colour, _ policy: FutureImage.CachePolicy = .automatic, _ presentation: FutureImage.Presentation? = nil
  ) async {
    weak var gone: FutureImage?
    do {
      let future = shop.future(policy: policy)
      gone = future
      view.display(future, presentation)
      await shop.serve("a", colour.jpeg(64, 48))
      await shop.loader.waitUntilSettled()
    }
    await waitWhile(gone != nil)
    await shop.loader.waitUntilSettled()
    #expect(isFollowed)
    #expect(view.image?.colour?.isNearly(colour) == true)
  }

  @Test func `an equal row that keeps its view shows the image that a reload of the new model brings`() async {
    await show(.red)
    let newer = shop.future()
    newer.reload()
    await shop.serve("a", Colour.blue.jpeg(64, 48))
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour?.isNearly(.blue) == true)
  }

  @Test func `models decoded again reload the images of views that were not bound again`() async {
    await show(.red)
    let newer = shop.deferred()
    async let failures = [newer].reload(\.self)
    await shop.held.waitForHeld()
    shop.held.resolve(with: Colour.blue.jpeg(64, 48))
    #expect(await failures == [])
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour?.isNearly(.blue) == true)
  }

  @Test func `a photo that the app sets appears in a view whose future is gone`() async throws {
    await show(.red)
    try await shop.loader.set(Picture.image(64, 48, red: 0, green: 0, blue: 250), forKey: Shop.url().absoluteString)
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour?.isNearly(.blue) == true)
  }

  @Test func `a view whose future is gone requests nothing and holds no bytes`() async {
    await show(.red, .modelOnly)
    #expect(shop.loader.futureCount == 0 && shop.loader.heldByteCount == 0)
    #expect(shop.loader.isIdle && shop.held.requests.count == 1)
  }

  @Test func `a view that needs more pixels since its future went requests nothing, and the loader settles`() async {
    await show(.red, .automatic, .init(onPhase: { _ in }))
    followers.first.map { shop.loader.pursue($0, [.full], retrying: .no) }
    view.bounds = CGRect(x: 0, y: 0, width: 640, height: 480)
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a view that got another image is followed no more`() async {
    await show(.red)
    let other = shop.future("other")
    view.futureImage = other
    let newer = shop.future()
    newer.reload()
    await shop.held.waitForHeld(2)
    shop.held.resolve(Shop.url(), with: Colour.blue.jpeg(64, 48))
    shop.held.resolve(Shop.url("other"), with: Colour.red.jpeg(64, 48))
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour?.isNearly(.red) == true)
    #expect(!isFollowed)
    withExtendedLifetime(other) {}
  }

  @Test func `a view that the app gave another image keeps that`() async {
    await show(.red)
    let own = Picture.image()
    view.image = own
    let newer = shop.future()
    newer.reload()
    await shop.serve("a", Colour.blue.jpeg(64, 48))
    await shop.loader.waitUntilSettled()
    #expect(view.image === own)
  }

  @Test func `a view that never showed pixels leaves nothing behind when its future is gone`() async {
    do {
      let future = shop.future()
      view.futureImage = future
      view.image = nil
    }
    await waitWhile(shop.loader.futureCount > 0)
    await shop.loader.waitUntilSettled()
    #expect(shop.loader.state.withLock { $0.pictures.count } == 0)
  }
}
