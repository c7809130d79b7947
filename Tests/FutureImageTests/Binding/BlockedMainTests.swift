import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that arrive while the main thread is blocked. The loader counts their bytes until a commit, which runs on the main thread, makes
/// the images visible.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct BlockedMainTests {
  /// A semaphore that each decode signals.
  private final class Decodes: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
  }

  private func fixture(_ decodes: Decodes, maxPixelBytes: Int) -> LoaderFixture {
    LoaderFixture(maxPixelBytes: maxPixelBytes) { configuration in
      configuration.onEvent = { _, event in if case .decoded = event { decodes.semaphore.signal() } }
    }
  }

  private func futures(_ fixture: LoaderFixture, _ count: Int) -> [FutureImage] {
    (0..<count).map { number in
      FutureImage(.data(key: "\(number)") { SampleImage.jpeg(100, 80) }, cachePolicy: .modelOnly, loader: fixture.loader)
    }
  }

  // This function is synchronous, because it blocks the main thread.
  private func block(until decodes: Decodes, _ count: Int) {
    for _ in 0..<count { decodes.semaphore.wait() }
  }

  @Test func `images that wait to be shown use no more memory than the pool's limit, and all are shown in the end`() async {
    let decodes = Decodes()
    let bytes = 100 * 80 * 4
    let fixture = fixture(decodes, maxPixelBytes: 4 * bytes)
    let futures = futures(fixture, 30)
    let views = futures.map { _ in imageView(100, 80) }
    for (view, future) in zip(views, futures) {
      view.futureImage = future
      future.wait(.full) { _ in }
    }
    block(until: decodes, 30)
    #expect(fixture.loader.arrivedByteCount <= 4 * bytes)
    await fixture.loader.waitForIdle()
    #expect(views.allSatisfy { $0.futureImage == nil && $0.image?.cgImage?.width == 100 })
    #expect(fixture.loader.arrivedByteCount == 0)
    withExtendedLifetime(futures) {}
  }

  @Test func `a future that is released before its image is shown no longer counts toward the pool's limit`() async {
    let decodes = Decodes()
    let fixture = fixture(decodes, maxPixelBytes: 1 << 20)
    var futures = futures(fixture, 5)
    let view = imageView(100, 80)
    for future in futures {
      view.futureImage = future
      future.wait(.full) { _ in }
    }
    block(until: decodes, 5)
    view.image = nil
    futures = []
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.arrivedByteCount == 0)
  }

  @Test func `if an image changes after it arrives, a commit still subtracts as many bytes as the arrival added`() {
    let (image, changed) = (SampleImage.image(), SampleImage.image(8, 6))
    let fixture = LoaderFixture()
    let future = fixture.idle()
    future.withReader { $0.watched = .images }
    future.adopt(image)
    #expect(fixture.loader.arrivedByteCount == image.byteCount)
    // Simulates that the app has changed the pixels of its image.
    future.withReader { $0.arrived = [changed] }
    future.reader?.commit(future)
    #expect(fixture.loader.arrivedByteCount == 0)
  }

  @Test(arguments: [(0.5, [true, false, false]), (2, [true, true, false])] as [(Double, [Bool])])
  func `images that wait for a commit are retained up to the pool's limit, except that the first is always retained`(
    limit: Double, expected: [Bool]
  ) {
    let image = SampleImage.image()
    let fixture = LoaderFixture(maxPixelBytes: Int(limit * Double(image.byteCount)))
    let futures = ["a", "b", "c"].map { fixture.idle($0) }
    for future in futures {
      future.withReader { $0.watched = .images }
      future.adopt(image)
    }
    #expect(futures.map { $0.withReader { !$0.arrived.isEmpty } == true } == expected)
    for future in futures { future.reader?.commit(future) }
    #expect(fixture.loader.arrivedByteCount == 0 && futures.allSatisfy { $0.visible === image })
  }
}
