import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Failures of one of the two images.
extension DarkPictureTests {
  /// Fails the request for the image for good. After a transient failure, a new binding would request the image again.
  private func fail(_ name: String) async {
    await shop.held.waitForHeld()
    shop.held.answer(Shop.url(name), FutureImage.Response(status: 404))
    await shop.loader.waitUntilSettled()
  }

  @Test(arguments: [false, true]) func `a tap on a failed image reloads that one, and not the one of the other style`(isDark: Bool)
    async throws
  {
    view.display(future(), .init(retriesOnTap: true))
    await fail("light")
    view.change(to: .dark)
    await fail("dark")
    if !isDark { view.change(to: .light) }
    let recognizer = try #require(view.gestureRecognizers?.first as? UITapGestureRecognizer)
    recognizer.tap()
    #expect(shop.loader.transferCount == 1)
    let (name, colour) = isDark ? ("dark", Colour.blue) : ("light", Colour.red)
    await serve(name, colour)
    #expect(colour.isNearly(view.image?.colour))
    #expect(requested() == ["light.jpg", "dark.jpg", "\(name).jpg"])
  }

  @Test(arguments: [false, true]) func `the failure of a canceled image has the key of that image`(isDark: Bool) async {
    let photo = future()
    let lease = FutureImage.Lease(of: photo, isDark: isDark)
    await shop.held.waitForHeld()
    photo.cancel()
    await shop.loader.waitUntilSettled()
    #expect(lease.failure?.reason == .cancelled)
    #expect(lease.failure?.source == Shop.url(isDark ? "dark" : "light").absoluteString)
  }
}
