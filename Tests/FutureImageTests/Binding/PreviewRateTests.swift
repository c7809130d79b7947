import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage
@testable import FutureImageTesting

/// The times at which previews are made, and the number of searches for an image's size in the bytes that have arrived so far.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PreviewRateTests {
  /// A decoder that counts the searches for a size.
  private final class SizeCounter: FutureImage.ImageDecoder {
    private let decoder = FutureImage.StandardDecoder()
    private let counted = Observed(0)

    var count: Int { counted.read { $0 } }

    func waitForSearches(_ count: Int) async { await counted.wait { $0 >= count } }

    func size(of data: Data) throws -> FutureImage.PixelSize {
      counted.update { $0 += 1 }
      return try decoder.size(of: data)
    }

    func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { try decoder.decode(data, size: size) }
    func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? { try decoder.preview(of: beginning, size: size) }
  }

  private let decoder = SizeCounter()
  private let time = EndingClock()
  private let events = Lock<[String]>([])
  private let fixture: LoaderFixture
  /// The first change of the view's image shows the future, and the second change shows the first preview.
  private let view = WatchedView(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
  private let interval = Duration.milliseconds(200)
  private let photo: Data

  init() throws {
    let (decoder, time, events) = (decoder, time, events)
    fixture = LoaderFixture { configuration in
      configuration.decoder = decoder
      configuration.retry = .never
      configuration.runningClock = RunningClock(time.manual)
      configuration.onEvent = { key, event in events.withLock { $0.append("\(key): \(event)") } }
    }
    photo = try Data(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/beginnings/sequential.jpg"))
    view.contentMode = .scaleAspectFit
  }

  private var half: Data { photo.prefix(photo.count / 2) }

  /// Yields so often that all tasks that are ready to run now should have run, and returns when the loader has no pending deliveries.
  private func ended() async {
    for _ in 0..<1_000 { await Task.yield() }
    await waitWhile(fixture.loader.state.withLock({ $0.work.pending > 0 }))
  }

  /// Binds the future, and delivers the first bytes of its image.
  private func begin(_ future: FutureImage, with part: Data, of total: Int) async {
    view.display(future, .init(previewInterval: interval))
    await fixture.held.waitForHeld()
    fixture.held.begin(with: part, of: total)
  }

  @Test func `arriving bytes are not searched for the image's size if no view shows previews`() async {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.begin(with: half, of: photo.count)
    await ended()
    fixture.held.finish(with: photo.dropFirst(half.count))
    await fixture.loader.waitForIdle()
    #expect(future.phase.name == "fetched")
    #expect(decoder.count == 1)
  }

  @Test func `if bytes contain no image size, they are searched again when one eighth more bytes have arrived`() async {
    let future = fixture.future()
    await begin(future, with: Data(count: 800), of: 10_000)
    await decoder.waitForSearches(1)
    await ended()
    fixture.held.proceed(with: Data(count: 99))
    await ended()
    #expect(decoder.count == 1)
    fixture.held.proceed(with: Data(count: 1))
    await decoder.waitForSearches(2)
    future.cancel()
    await fixture.loader.waitForIdle()
  }

  @Test func `the first bytes of a new exchange are searched for the image's size even if the former exchange contained no size`() async {
    let future = fixture.future()
    await begin(future, with: Data(count: 1 << 20), of: 2 << 20)
    await decoder.waitForSearches(1)
    await ended()
    // If an exchange fails after the process was suspended, the same attempt makes another exchange.
    await time.manual.waitForSleepers()
    time.manual.advance(by: .seconds(3600))
    fixture.held.fail()
    await fixture.held.waitForRequests(2)
    fixture.held.begin(with: half, of: photo.count)
    await view.waitForChanges(2)
    #expect(view.image?.cgImage != nil)
    future.cancel()
    await fixture.loader.waitForIdle()
  }

  @Test func `previews continue after a pause in the transfer, and no timer for a preview remains after the transfer`() async {
    await begin(fixture.future(), with: half, of: photo.count)
    await view.waitForChanges(2)
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: interval)
    await ended()
    #expect(fixture.loader.statistics.previews == 1)
    let more = photo.dropFirst(half.count).prefix(photo.count / 4)
    fixture.held.proceed(with: more)
    await view.waitForChanges(3)
    await fixture.clock.waitForSleepers()
    #expect(events.withLock { $0.count { $0.contains(" pixels of a preview decoded in ") } } == 2)
    fixture.held.finish(with: photo.dropFirst(half.count + more.count))
    await fixture.loader.waitForIdle()
    await waitWhile(!fixture.clock.waits.isEmpty)
  }

  @Test func `the interval between previews is the shortest interval that a view requests`() async {
    let (futures, other) = ([fixture.future(), fixture.future()], WatchedView(frame: view.frame))
    other.contentMode = .scaleAspectFit
    other.display(futures[0], .init(previewInterval: interval * 3))
    await begin(futures[1], with: half, of: photo.count)
    await view.waitForChanges(2)
    await other.waitForChanges(2)
    await fixture.clock.waitForSleepers()
    #expect(fixture.clock.waits == [interval])
    for future in futures { future.cancel() }
    await fixture.loader.waitForIdle()
  }
}
