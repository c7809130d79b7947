import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The previews that views show while bytes arrive.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PreviewTests {
  let fixture = LoaderFixture { $0.retry = .never }
  /// The first change of the view's image shows the future or a placeholder, and the second change shows the first preview.
  let view = WatchedView(frame: CGRect(x: 0, y: 0, width: 4000, height: 4000))
  let interval = Duration.milliseconds(200)

  init() {
    view.contentMode = .scaleAspectFit
  }

  /// Returns a file of the folder `beginnings`. The JPEG files are 240 pixels wide, and `plain.png` is 96 pixels wide.
  private static func fixtureFile(_ name: String) throws -> Data {
    try Data(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/beginnings/\(name)"))
  }

  /// Returns the preview that the standard decoder makes from the first bytes of a file.
  private func expected(_ beginning: Data) throws -> CGImage {
    let decoder = FutureImage.StandardDecoder()
    return try #require(try decoder.preview(of: beginning, size: decoder.size(of: beginning)))
  }

  /// Binds the future and delivers the first part of its bytes. Returns when the view shows a preview of that part.
  private func begin(
    _ future: FutureImage, with part: Data, of total: Int, _ presentation: FutureImage.Presentation? = nil,
    headers: [String: String] = [:]
  ) async throws {
    view.display(future, presentation ?? .init(previewInterval: interval))
    let changes = view.changes
    await fixture.held.waitForHeld()
    fixture.held.begin(URL(string: future.key), with: part, of: total, headers: headers)
    await view.waitForChanges(changes + 1)
  }

  private func half(_ data: Data) -> Data { data.prefix(data.count / 2) }

  @Test(arguments: [
    "sequential.jpg", "progressive.jpg", "plain.png", "lossy.webp", "lossless.webp", "plain.gif", "interlaced.gif"
  ])
  func `a view shows a preview, then a preview made from more bytes, then the complete image`(name: String) async throws {
    let data = try Self.fixtureFile(name)
    let future = fixture.future()
    try await begin(future, with: half(data), of: data.count)
    #expect(try #require(view.image?.cgImage).hasSamePixels(as: expected(half(data))))
    #expect(view.futureImage === future)
    await fixture.clock.waitForSleepers()
    let more = data.prefix(data.count * 4 / 5)
    fixture.held.proceed(with: more.dropFirst(half(data).count))
    fixture.clock.advance(by: interval)
    await view.waitForChanges(3)
    #expect(try #require(view.image?.cgImage).hasSamePixels(as: expected(more)))
    #expect(try !expected(more).hasSamePixels(as: expected(half(data))))
    fixture.held.finish(with: data.dropFirst(more.count))
    await fixture.loader.waitForIdle()
    let whole = try FutureImage.StandardDecoder().decode(data, size: FutureImage.StandardDecoder().size(of: data))
    #expect(try #require(view.image?.cgImage).hasSamePixels(as: whole))
    #expect(view.futureImage == nil)
    #expect(fixture.loader.statistics.previews == 2)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  @Test func `a view that does not request previews shows none`() async throws {
    let data = try Self.fixtureFile("sequential.jpg")
    let other = WatchedView(frame: view.frame)
    let future = fixture.future()
    other.futureImage = future
    try await begin(future, with: half(data), of: data.count)
    #expect(other.changes == 1)
    fixture.held.finish(with: data.dropFirst(half(data).count))
    await fixture.loader.waitForIdle()
    #expect(other.image === view.image)
    #expect(other.changes == 2)
  }

  @Test func `no preview is decoded if no view requests it`() async throws {
    let data = try Self.fixtureFile("sequential.jpg")
    view.futureImage = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.begin(with: half(data), of: data.count)
    fixture.held.finish(with: data.dropFirst(half(data).count))
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.previews == 0)
    #expect(view.image?.cgImage?.width == 240)
  }

  @Test func `a preview has no more pixels than its view needs, and has the same size in points as the complete image`() async throws {
    view.frame.size = CGSize(width: 60, height: 60)
    let data = try Self.fixtureFile("progressive.jpg")
    try await begin(fixture.future(), with: half(data), of: data.count)
    #expect(view.image?.cgImage?.width == 60)
    let points = view.image?.size
    fixture.held.finish(with: data.dropFirst(half(data).count))
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 60)
    #expect(view.image?.size == points)
  }

  @Test func `a preview is transformed like the complete image`() async throws {
    let data = try Self.fixtureFile("progressive.jpg")
    let future = FutureImage(
      .url(LoaderFixture.url()), transform: .resize(toPixels: .init(width: 30, height: 30), .fill), loader: fixture.loader)
    try await begin(future, with: half(data), of: data.count)
    #expect(view.image?.cgImage?.width == 30 && view.image?.cgImage?.height == 30)
    fixture.held.finish(with: data.dropFirst(half(data).count))
    await fixture.loader.waitForIdle()
  }

  // MARK: Rate

  @Test func `previews are one interval apart, and only the newest bytes are decoded`() async throws {
    let data = try Self.fixtureFile("sequential.jpg")
    try await begin(fixture.future(), with: half(data), of: data.count)
    await fixture.clock.waitForSleepers()
    #expect(fixture.clock.waits == [interval])
    for index in half(data).count..<data.count - 3_000 { fixture.held.proceed(with: data[index...index]) }
    fixture.clock.advance(by: interval - .milliseconds(1))
    await fixture.loader.delivered()
    #expect(fixture.loader.statistics.previews == 1)
    fixture.clock.advance(by: .milliseconds(1))
    await view.waitForChanges(3)
    #expect(try #require(view.image?.cgImage).hasSamePixels(as: expected(data.dropLast(3_000))))
    #expect(fixture.loader.statistics.previews == 2)
    // No bytes have arrived since the last preview.
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: interval)
    await fixture.loader.delivered()
    #expect(fixture.loader.statistics.previews == 2)
    fixture.held.finish(with: data.suffix(3_000))
    await fixture.loader.waitForIdle()
  }

  @Test func `the wait for the next preview ends with the transfer`() async throws {
    let data = try Self.fixtureFile("sequential.jpg")
    try await begin(fixture.future(), with: half(data), of: data.count)
    await fixture.clock.waitForSleepers()
    fixture.held.proceed(with: data.dropFirst(half(data).count).prefix(1_000))
    fixture.held.finish(with: data.dropFirst(half(data).count + 1_000))
    await fixture.loader.waitForIdle()
    fixture.clock.advance(by: .seconds(10))
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.previews == 1)
    #expect(view.futureImage == nil)
  }

  @Test func `a view that is bound during a transfer shows a preview of the bytes that have already arrived`() async throws {
    let data = try Self.fixtureFile("sequential.jpg")
    let future = fixture.future()
    try await begin(future, with: half(data), of: data.count)
    let later = WatchedView(frame: view.frame)
    later.display(future, .init(previewInterval: interval))
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: interval)
    await later.waitForChanges(2)
    #expect(try #require(later.image?.cgImage).hasSamePixels(as: expected(half(data))))
    future.cancel()
    await fixture.loader.waitForIdle()
  }

  // MARK: Previews are not retained

  @Test func `a preview is not stored in the pool, an NSCache, the disk cache, or the future's state`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let disk = FutureImage.DiskCache.temporary()
    let data = try Self.fixtureFile("sequential.jpg")
    let policies: [FutureImage.CachePolicy] = [.using(cache: cache, key: "a"), .automatic]
    for (number, policy) in policies.enumerated() {
      let fixture = LoaderFixture(disk: disk)
      let future = fixture.future("\(number)", policy: policy)
      view.display(future, .init(previewInterval: interval))
      let changes = view.changes
      await fixture.held.waitForHeld()
      fixture.held.begin(with: half(data), of: data.count)
      await view.waitForChanges(changes + 1)
      #expect(fixture.loader.pixelBytes == 0)
      #expect(cache.object(forKey: "a") == nil)
      #expect(try await disk.entry(forKey: future.key) == nil)
      #expect(future.wholeSize == nil)
      #expect(!future.phase.isFinal)
      future.cancel()
      await fixture.loader.waitForIdle()
      #expect(fixture.loader.pixelBytes == 0)
      #expect(cache.object(forKey: "a") == nil)
      #expect(try await disk.entry(forKey: future.key) == nil)
    }
  }

  @Test func `the placeholder replaces the preview of a canceled image`() async throws {
    let placeholder = SampleImage.image(10, 10)
    let data = try Self.fixtureFile("progressive.jpg")
    let future = fixture.future()
    try await begin(future, with: half(data), of: data.count, .init(placeholder: placeholder, previewInterval: interval))
    #expect(view.image?.cgImage?.width == 240)
    future.cancel()
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 10)
    #expect(view.futureImage === future)
    #expect(fixture.held.cancelledCount == 1)
  }

  @Test func `if an image is canceled while a preview is decoded, the view does not show the preview`() async throws {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let data = try Self.fixtureFile("progressive.jpg")
    let future = fixture.future()
    view.display(future, .init(previewInterval: interval))
    decoder.close()
    await fixture.held.waitForHeld()
    fixture.held.begin(with: half(data), of: data.count)
    await decoder.waitForHeld()
    future.cancel()
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(view.changes == 1)
    #expect(view.image === future)
  }

  @Test func `the failure image replaces the preview of a failed image`() async throws {
    let data = try Self.fixtureFile("progressive.jpg")
    let failure = SampleImage.image(30, 30)
    try await begin(fixture.future(), with: half(data), of: data.count, .init(failureImage: failure, previewInterval: interval))
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 30)
  }

  @Test func `a preview is removed when the complete bytes of the image cannot be decoded`() async throws {
    let data = try Self.fixtureFile("plain.png")
    let future = fixture.future()
    try await begin(future, with: half(data), of: data.count)
    fixture.held.finish(with: Data(repeating: 0xFF, count: data.count - half(data).count))
    await fixture.loader.waitForIdle()
    #expect(future.phase.isFinal)
    #expect(view.image === future)
  }

  @Test func `a reused view shows no preview of its former future`() async throws {
    let data = try Self.fixtureFile("progressive.jpg")
    let first = fixture.future("first")
    try await begin(first, with: half(data), of: data.count)
    let second = fixture.future("second")
    view.display(second, .init(previewInterval: interval))
    let changes = view.changes
    await fixture.held.waitForHeld(2)
    await fixture.clock.waitForSleepers()
    fixture.held.proceed(LoaderFixture.url("first"), with: data.dropFirst(half(data).count).prefix(2_000))
    fixture.clock.advance(by: interval)
    fixture.held.finish(LoaderFixture.url("first"), with: data.dropFirst(half(data).count + 2_000))
    await fixture.loader.delivered()
    #expect(view.changes == changes)
    #expect(view.image === second)
    fixture.held.resolve(LoaderFixture.url("second"), with: SampleImage.jpeg(20, 20))
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 20)
    withExtendedLifetime(first) {}
  }

  @Test func `emptying a view that shows a preview cancels the transfer`() async throws {
    let data = try Self.fixtureFile("progressive.jpg")
    try await begin(fixture.future(), with: half(data), of: data.count)
    view.image = nil
    await fixture.held.waitForCancellations()
    await fixture.loader.waitForIdle()
  }

  @Test func `previews of a reload do not replace a loaded image`() async throws {
    let data = try Self.fixtureFile("progressive.jpg")
    let future = fixture.future()
    view.display(future, .init(previewInterval: interval))
    await fixture.serve("a", SampleImage.jpeg(20, 20))
    let changes = view.changes
    future.reload()
    await fixture.held.waitForHeld()
    fixture.held.begin(with: half(data), of: data.count)
    fixture.held.finish(with: data.dropFirst(half(data).count))
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.previews == 0)
    #expect(view.changes == changes + 1)
    #expect(view.image?.cgImage?.width == 240)
  }

  // MARK: Transitions and attempts

  @Test func `the complete image appears with the transition, but a preview appears without a transition`() async throws {
    var transitions = 0
    let data = try Self.fixtureFile("progressive.jpg")
    let presentation = FutureImage.Presentation(
      transition: .custom { _, change in
        transitions += 1
        change()
      }, previewInterval: interval)
    try await begin(fixture.future(), with: half(data), of: data.count, presentation)
    #expect(transitions == 0)
    fixture.held.finish(with: data.dropFirst(half(data).count))
    await fixture.loader.waitForIdle()
    #expect(transitions == 1)
    #expect(view.futureImage == nil)
  }

  @Test(arguments: [true, false])
  func `previews continue after an interrupted body resumes or starts again`(resumes: Bool) async throws {
    let fixture = LoaderFixture { $0.retry.firstDelay = .zero }
    let data = try Self.fixtureFile("sequential.jpg")
    let half = half(data)
    view.display(fixture.future(), .init(previewInterval: interval))
    await fixture.held.waitForHeld()
    fixture.held.begin(with: half, of: data.count, headers: ["etag": "\"1\"", "accept-ranges": "bytes"])
    await view.waitForChanges(2)
    fixture.held.fail()
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers["Range"] == "bytes=\(half.count)-")
    #expect(try #require(view.image?.cgImage).hasSamePixels(as: expected(half)))
    if resumes {
      let range = "bytes \(half.count)-\(data.count - 1)/\(data.count)"
      let response = FutureImage.Response(
        status: 206, headers: ["content-range": range, "etag": "\"1\""], expectedBytes: data.count - half.count)
      fixture.held.begin(nil, response, data.dropFirst(half.count).prefix(2_000))
      await view.waitForChanges(3)
      #expect(try #require(view.image?.cgImage).hasSamePixels(as: expected(data.prefix(half.count + 2_000))))
      fixture.held.finish(with: data.dropFirst(half.count + 2_000))
    } else {
      let other = try Self.fixtureFile("plain.png")
      fixture.held.begin(with: self.half(other), of: other.count, headers: ["etag": "\"2\""])
      await view.waitForChanges(3)
      #expect(try #require(view.image?.cgImage).hasSamePixels(as: expected(self.half(other))))
      fixture.held.finish(with: other.dropFirst(self.half(other).count))
    }
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == (resumes ? 240 : 96))
    #expect(fixture.loader.statistics.failures == 0)
  }
}
