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

  @Test(arguments: [false, true]) func `a tap on a view with a failed image reloads only the image of the view's current style`(
    isDark: Bool
  )
    async throws
  {
    view.display(future(), .init(retriesOnTap: true))
    await fail("light")
    view.change(to: .dark)
    await fail("dark")
    if !isDark { view.change(to: .light) }
    let recognizer = try #require(view.recognizers.first as? RetryTap)
    recognizer.tap()
    #expect(fixture.loader.transferCount == 1)
    let (name, color) = isDark ? ("dark", TestColor.blue) : ("light", TestColor.red)
    await serve(name, color)
    #expect(color.isNearly(view.image?.color))
    #expect(requested() == ["light.jpg", "dark.jpg", "\(name).jpg"])
  }

  @Test(arguments: [false, true]) func `the failure after a cancellation has the key of the light or dark image that was canceled`(
    isDark: Bool
  ) async {
    let photo = future()
    let subscription = FutureImage.Subscription(of: photo, isDark: isDark)
    await fixture.held.waitForHeld()
    photo.cancel()
    await fixture.loader.waitForIdle()
    #expect(subscription.failure?.reason == .cancelled)
    #expect(subscription.failure?.key == LoaderFixture.url(isDark ? "dark" : "light").absoluteString)
  }
}
