import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests the rows of the table of the same name in Ancestors.md, in the table's order.
@Suite("Operation-queue loader", .tags(.threads), .timeLimit(.minutes(5))) struct OperationQueueLoaderTests {
  /// A decoder that records whether it ran on the main thread.
  private struct Witness: FutureImage.ImageDecoder {
    let decoder = FutureImage.StandardDecoder()
    let wasOnMain = LockedValue<Bool>()

    func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

    func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
      wasOnMain.value = Thread.isMainThread
      return try decoder.decode(data, size: size)
    }
  }

  private func file(_ color: TestColor) throws -> URL {
    let folder = Scratch.folder()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("picture.jpg")
    try color.jpeg().write(to: file)
    return file
  }

  @MainActor @Test func `a local file is decoded in the background`() async throws {
    let (witness, file) = (Witness(), try file(.red))
    let fixture = LoaderFixture { $0.decoder = witness }
    let view = imageView(64)
    let future = FutureImage(.file(file), loader: fixture.loader)
    view.futureImage = future
    // The assignment returned before the loader read the file.
    #expect(view.image === future)
    await fixture.loader.waitForIdle()
    #expect(TestColor.red.isNearly(view.image?.color))
    #expect(witness.wasOnMain.value == false)
  }

  @MainActor @Test func `reusing a view cancels the request for its former image`() async {
    let fixture = LoaderFixture()
    let view = imageView(64)
    view.futureImage = fixture.future("former")
    await fixture.held.waitForHeld()
    view.futureImage = fixture.future("next")
    await fixture.held.waitForCancellations()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(LoaderFixture.url("next"), with: TestColor.blue.jpeg())
    await fixture.loader.waitForIdle()
    #expect(TestColor.blue.isNearly(view.image?.color))
    #expect(fixture.held.cancelledCount == 1)
  }

  @Test func `the app can limit concurrent transfers and decodes`() async throws {
    let (held, decoder) = (HeldFetcher(), GatedDecoder())
    let fetcher = CountingFetcher(held)
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.fetcher = fetcher
    configuration.decoder = decoder
    configuration.maxTransfers = 2
    configuration.maxDecodes = 1
    let loader = FutureImage.Loader(configuration)
    let photos = (0..<8).map { FutureImage(at: LoaderFixture.url("\($0)"), loader: loader) }
    async let images = photos.images()
    decoder.close()
    for _ in 0..<4 {
      await held.waitForHeld(2)
      held.resolve(with: TestColor.red.jpeg())
    }
    await decoder.waitForHeld()
    decoder.open()
    #expect(try await images.count == 8)
    #expect(fetcher.most == 2)
    #expect(decoder.most == 1)
  }
}
