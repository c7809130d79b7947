import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Failures of the light image or of the dark image of a future.
extension DarkPictureTests {
  /// Fails the request for the image permanently. After a transient failure, a new binding would request the image again.
  private func fail(_ name: String) async {
    await fixture.held.waitForHeld()
    fixture.held.answer(LoaderFixture.url(name), FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
  }

  @Test(arguments: [false, true]) func `a tap on a failed image reloads that image, and not the image of the other style`(isDark: Bool)
    async throws
  {
    view.display(future(), .init(retriesOnTap: true))
    await fail("light")
    view.change(to: .dark)
    await fail("dark")
    if !isDark { view.change(to: .light) }
    let recognizer = try #require(view.gestureRecognizers?.first as? UITapGestureRecognizer)
    recognizer.tap()
    #expect(fixture.loader.transferCount == 1)
    let (name, color) = isDark ? ("dark", TestColor.blue) : ("light", TestColor.red)
    await serve(name, color)
    #expect(color.isNearly(view.image?.color))
    #expect(requested() == ["light.jpg", "dark.jpg", "\(name).jpg"])
  }

  @Test(arguments: [false, true]) func `the failure of a canceled image has the key of that image`(isDark: Bool) async {
    let photo = future()
    let subscription = FutureImage.Subscription(of: photo, isDark: isDark)
    await fixture.held.waitForHeld()
    photo.cancel()
    await fixture.loader.waitForIdle()
    #expect(subscription.failure?.reason == .cancelled)
    #expect(subscription.failure?.key == LoaderFixture.url(isDark ? "dark" : "light").absoluteString)
  }
}
