import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The progress of a future that has an image for dark mode.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DarkProgressTests {
  private let fixture = LoaderFixture { $0.retry = .never }
  private let view = imageView(64)

  /// Returns a future whose light image is in the view, and whose dark image is being fetched.
  private func futureThatFetchesDarkImage() async -> FutureImage {
    let source = FutureImage.Source.url(LoaderFixture.url("light")).inDarkMode(use: .url(LoaderFixture.url("dark")))
    let photo = FutureImage(source, loader: fixture.loader)
    view.futureImage = photo
    await fixture.serve("light", TestColor.red.jpeg(1200, 900))
    view.change(to: .dark)
    await fixture.held.waitForHeld()
    return photo
  }

  @Test func `a future has the progress of its dark image while only the dark image is fetched`() async {
    let photo = await futureThatFetchesDarkImage()
    fixture.held.begin(LoaderFixture.url("dark"), with: Data(count: 500), of: 1_000)
    #expect(photo.progress.fractionCompleted == 0.5)
    photo.cancel()
    await fixture.loader.waitForIdle()
  }

  @Test func `if neither the light nor the dark image is being fetched, a future has the progress of the light image`() async {
    let photo = await futureThatFetchesDarkImage()
    fixture.held.fail(LoaderFixture.url("dark"), .status(404))
    await fixture.loader.waitForIdle()
    #expect(photo.progress.isFinished)
  }
}
