import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests that images are encoded as the bytes of a file. The pixels come from other bytes or from a future.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct EncodingTests {
  typealias PixelSize = FutureImage.PixelSize
  typealias Encoding = FutureImage.Encoding

  let fixture = LoaderFixture(disk: .temporary())

  private static func fixture(_ path: String) throws -> Data {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: tests.appendingPathComponent("Fixtures/\(path)"))
  }

  static let available = Encoding.Format.allCases.filter(\.isAvailable)
  static let animated = available.filter { $0 != .jpeg }

  private func decoded(_ data: Data) throws -> FutureImage.PixelBuffer {
    let decoder = FutureImage.StandardDecoder()
    return try #require(FutureImage.PixelBuffer(decoder.decode(data, size: decoder.size(of: data)), scale: 1))
  }

  @Test(arguments: available)
  func `in every format, an encoded image fits the requested box and has almost the same pixels as the original`(format: Encoding.Format)
    async throws
  {
    let photo = try Self.fixture("jpeg/full-chroma.jpg")
    let box = PixelSize(width: 48, height: 48)
    let made = try await fixture.loader.encoded(photo, resizedTo: box, as: Encoding(format, quality: 0.95))
    #expect(made.format == format && max(made.size.width, made.size.height) == 48)
    let decoder = FutureImage.StandardDecoder()
    let reference = try #require(FutureImage.PixelBuffer(decoder.decode(photo, size: made.size), scale: 1))
    let result = try decoded(made.data)
    #expect((result.width, result.height) == (made.size.width, made.size.height))
    let difference = zip(result.bytes, reference.bytes).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(result.bytes.count)
    #expect(difference < (format == .png ? 0.001 : 4), "\(difference)")
  }

  @Test(arguments: ResizedValueTests.cases.filter { !$0.enlarges })
  func `an encoded image has the size that follows from the box and the resize mode`(row: ResizedValueTests.Case) async throws {
    let box = PixelSize(width: row.box.0, height: row.box.1)
    let picture = SampleImage.noise(row.picture.0, row.picture.1)
    let made = try await fixture.loader.encoded(picture, resizedTo: box, row.mode, as: .png)
    let result = try decoded(made.data)
    #expect((made.size.width, made.size.height) == row.expected && (result.width, result.height) == row.expected)
  }

  @Test func `a future is encoded from the bytes of its image, without a decode job and without pixels in the pool`() async throws {
    let future = fixture.future()
    await fixture.serve()
    let made = try await future.encoded(resizedTo: PixelSize(width: 320, height: 320), as: .jpeg)
    #expect(made.size == PixelSize(width: 320, height: 240) && made.data.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(fixture.loader.pixelBytes == 0 && fixture.loader.statistics.decodes == 0)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a future that waits for its bytes is encoded when they arrive`() async throws {
    let future = fixture.future()
    async let made = future.encoded(resizedTo: PixelSize(width: 32, height: 32), as: .png)
    async let pixels = future.value(fitting: .fit(width: 64, height: 64))
    await fixture.serve()
    #expect(try await made.size == PixelSize(width: 32, height: 24))
    #expect(try await pixels.cgImage != nil)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `when a future with a transform is encoded, the transform is applied before the resize`() async throws {
    let crop = FutureImage.Transform.resize(toPixels: PixelSize(width: 300, height: 300), .fill)
    let future = FutureImage(.url(LoaderFixture.url()), transform: crop, loader: fixture.loader)
    await fixture.serve()
    let made = try await future.encoded(resizedTo: PixelSize(width: 100, height: 50), as: .png)
    #expect(made.size == PixelSize(width: 50, height: 50))
  }

  @Test func `if the bytes of an image were released, the image is encoded from the bytes in the disk tier`() async throws {
    let future = fixture.future()
    await fixture.serve()
    await fixture.loader.waitForIdle()
    #expect(future.retainedBytes == nil)
    let made = try await future.encoded(resizedTo: PixelSize(width: 32, height: 32), as: .jpeg)
    let again = try await future.encoded(resizedTo: PixelSize(width: 16, height: 16), as: .jpeg)
    #expect(made.size.width == 32 && again.size.width == 16)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `an encoded image is upright, in sRGB, and without the metadata of the original`() async throws {
    let original = try Self.fixture("exif/Landscape_6.jpg")
    let made = try await fixture.loader.encoded(original, as: .png)
    let decoder = FutureImage.StandardDecoder()
    #expect(try made.size == decoder.size(of: original))
    #expect(made.data.range(of: Data("eXIf".utf8)) == nil)
    let colors = try Self.fixture("color/p3.png")
    let converted = try await fixture.loader.encoded(colors, as: .png)
    #expect(converted.data.range(of: Data("iCCP".utf8)) == nil)
    #expect(try decoded(converted.data).bytes == decoded(colors).bytes)
  }

  @Test(arguments: available) func `EXIF data is kept only on request, and the orientation in kept data is upright`(format: Encoding.Format)
    async throws
  {
    let original = try Self.fixture("exif/Landscape_6.jpg")
    let kept = try await fixture.loader.encoded(original, as: Encoding(format, keepsEXIF: true))
    let dropped = try await fixture.loader.encoded(original, as: Encoding(format))
    let size = try FutureImage.StandardDecoder().size(of: original)
    #expect(try FutureImage.StandardDecoder().size(of: kept.data) == size && kept.size == size)
    #expect(kept.data.count > dropped.data.count)
  }

  @Test(arguments: animated)
  func `an animation stays an animation with the same frames, durations, and number of plays`(format: Encoding.Format) async throws {
    let original = try Self.fixture("gif/dispose-keep.gif")
    let made = try await fixture.loader.encoded(original, resizedTo: PixelSize(width: 6, height: 6), as: Encoding(format, quality: 1))
    let decoder = FutureImage.StandardDecoder()
    let source = try #require(try decoder.animation(of: original, size: PixelSize(width: 6, height: 4)))
    let result = try #require(try decoder.animation(of: made.data, size: PixelSize(width: 6, height: 4)))
    #expect(made.size == PixelSize(width: 6, height: 4))
    #expect(result.durations.count == source.durations.count)
    // libavif 0.11 does not store the number of plays, and files without this number play forever.
    #expect(result.playCount == source.playCount || (format == .avif && result.playCount == 0))
    #expect(zip(result.durations, source.durations).allSatisfy { abs($0 - $1) < 0.0015 })
    for index in source.durations.indices {
      let pair = try [source, result].map { try #require(FutureImage.PixelBuffer($0.frame(at: index), scale: 1)).bytes }
      let difference = zip(pair[0], pair[1]).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(pair[0].count)
      #expect(difference < (format == .png ? 0.001 : 40), "\(index): \(difference)")
    }
  }

  @Test func `an animation that is encoded as a JPEG becomes a still image of its first frame`() async throws {
    let original = try Self.fixture("gif/dispose-keep.gif")
    let made = try await fixture.loader.encoded(original, as: Encoding(.jpeg, quality: 1))
    let decoder = FutureImage.StandardDecoder()
    #expect(try decoder.animation(of: made.data, size: made.size) == nil)
    let animation = try #require(try decoder.animation(of: original, size: made.size))
    let frames = try (0..<2).map { try #require(FutureImage.PixelBuffer(animation.frame(at: $0), scale: 1)).bytes }
    let still = try decoded(made.data).bytes
    let differences = frames.map { frame in zip(frame, still).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } }
    #expect(differences[0] < differences[1] / 2, "\(differences)")
  }

  @Test func `the tint and the rendering mode of a future do not change the encoded file`() async throws {
    let photo = fixture.future()
    await fixture.serve("a", try Self.fixture("exif/Landscape_6.jpg"))
    let tinted = try #require(photo.withTintColor(.red, renderingMode: .alwaysTemplate) as? FutureImage)
    let encoding = Encoding(.jpeg, keepsEXIF: true)
    #expect(try await tinted.encoded(as: encoding).data == photo.encoded(as: encoding).data)
  }

  @Test(.enabled(if: Encoding.Format.webp.isAvailable))
  func `an animation with too many frames keeps every second frame and the same total duration, and the loader reports the reduction`()
    async throws
  {
    let reduced = Lock<[Int]>([])
    let fixture = LoaderFixture { configuration in
      configuration.decodingLimits.maxFrames = 3
      configuration.onEvent = { _, event in
        if case .reducedAnimation(let frames, let count, _, _) = event { reduced.withLock { $0 += [frames, count] } }
      }
    }
    let future = fixture.future()
    await fixture.serve("a", try Self.fixture("gif/dispose-keep.gif"))
    let made = try await future.encoded(as: .webp)
    #expect(reduced.withLock { $0 } == [3, 5])
    let result = try #require(try FutureImage.StandardDecoder().animation(of: made.data, size: made.size))
    #expect(result.durations.count == 3)
    #expect(abs(result.durations.reduce(0, +) - 1.5) < 0.005)
  }

  @Test func `if the bytes are not an image, encoding them fails with an error that names the reason`() async throws {
    await #expect(throws: FutureImage.Failure(.undecodable("its bytes are of no known image format"))) {
      try await fixture.loader.encoded(Data("no image".utf8), as: .jpeg)
    }
    let future = fixture.future()
    await fixture.serve("a", Data("no image".utf8))
    await #expect { try await future.encoded(as: .jpeg) } throws: { ($0 as? FutureImage.Failure)?.reason.isUndecodable == true }
  }

  @Test func `if the bytes of an image in the disk tier are damaged, an encoding fetches the image once`() async throws {
    let tier = HeldTier(SampleImage.jpeg(1200, 900).prefix(2000))
    let future = fixture.future(policy: .tiers(disk: tier))
    async let made = future.encoded(resizedTo: PixelSize(width: 32, height: 32), as: .jpeg)
    await fixture.serve()
    #expect(try await made.size == PixelSize(width: 32, height: 24))
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `an image without bytes is encoded from its pixels`() async throws {
    let sized = FutureImage(
      .sized(key: "drawn", wholeSize: CGSize(width: 400, height: 300)) { .image(SampleImage.image(Int($0.width), Int($0.height))) },
      loader: fixture.loader)
    let made = try await sized.encoded(resizedTo: PixelSize(width: 40, height: 40), as: .png)
    #expect(made.size == PixelSize(width: 40, height: 30))
    let constant = FutureImage.constant(.ready(SampleImage.image(64, 48)))
    #expect(try await constant.encoded(as: .png).size == PixelSize(width: 64, height: 48))
  }

  @Test func `on an avoided network, an encoding uses the pixels of the smaller image if that image has no bytes`() async throws {
    let fixture = LoaderFixture { $0.avoidedNetworks = [.constrained] }
    fixture.loader.network = [.constrained]
    let small = FutureImage.Source.sized(key: "small", wholeSize: CGSize(width: 40, height: 30)) {
      .image(SampleImage.image(Int($0.width), Int($0.height)))
    }
    let future = FutureImage(.url(LoaderFixture.url()).onAvoidedNetworks(use: small), loader: fixture.loader)
    #expect(try await future.encoded(as: .png).size == PixelSize(width: 40, height: 30))
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `if the task of an encoding is canceled, the encoding throws and no longer waits for the image`() async throws {
    let future = fixture.future()
    let task = Task { try await future.encoded(as: .jpeg) }
    await fixture.held.waitForHeld()
    task.cancel()
    await #expect(throws: FutureImage.Failure.self) { try await task.value }
    #expect(future.withReader { $0.hasWaiters } == false)
    await fixture.serve()
  }

  @Test func `if confirmed is true and the image is stale, an encoding waits for the new image from the source`() async throws {
    let clock = SettableDate()
    let fixture = LoaderFixture(disk: .temporary()) { $0.now = { clock.now } }
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(120, 90), headers: ["Cache-Control": "max-age=60"])
    clock.advance(hours: 1)
    async let made = future.encoded(as: .png, confirmed: true)
    await fixture.serve("a", SampleImage.jpeg(60, 45))
    #expect(try await made.size == PixelSize(width: 60, height: 45))
  }

  @Test func `each format has a media type, each lossy format has a default quality, and a quality above 1 counts as 1`() {
    #expect(Encoding.Format.allCases.map(\.mimeType) == ["image/jpeg", "image/png", "image/webp", "image/avif"])
    #expect([Encoding.jpeg, .webp, .avif].map(\.effectiveQuality) == [0.8, 0.8, 0.6])
    #expect(Encoding(.jpeg, quality: 3).effectiveQuality == 1 && Encoding(.jpeg, quality: .nan).effectiveQuality == 0.8)
  }
}
