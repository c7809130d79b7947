import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("Animated images", .tags(.threads), .timeLimit(.minutes(5)))
struct AnimationTests {
  private static func fixture(_ path: String) throws -> Data {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: tests.appendingPathComponent("Fixtures/\(path)"))
  }

  private struct Reduced: Equatable {
    var frames: Int
    var of: Int
    var width: Int
    var height: Int
  }

  private let reductions = Lock<[Reduced]>([])

  private func shown(
    _ path: String, size: CGSize? = nil, transform: FutureImage.Transform? = nil, limits: FutureImage.DecodingLimits = .init()
  ) async throws -> (image: UIImage, future: FutureImage, bytes: Int) {
    let fixture = LoaderFixture { [reductions] configuration in
      configuration.decodingLimits = limits
      configuration.onEvent = { _, event in
        guard case .reducedAnimation(let frames, let count, let width, let height) = event else { return }
        reductions.withLock { $0.append(Reduced(frames: frames, of: count, width: width, height: height)) }
      }
    }
    let future = FutureImage(.url(LoaderFixture.url()), cachePolicy: .modelOnly, size: size, transform: transform, loader: fixture.loader)
    await fixture.held.waitForHeld()
    fixture.held.resolve(LoaderFixture.url(), with: try Self.fixture(path))
    let image = try await future.animatedImage()
    return (image, future, fixture.loader.pixelBytes)
  }

  @Test(arguments: ["gif", "webp"])
  func `each frame of a GIF or a WebP is repeated in the image's list of images in proportion to the frame's duration`(format: String)
    async throws
  {
    let path = format == "gif" ? "gif/dispose-keep.gif" : "webp/animated.webp"
    let (image, future, pooledBytes) = try await shown(path)
    let images = try #require(image.images)
    let distinct = Set(images.compactMap { $0.cgImage.map { ObjectIdentifier($0) } }).count
    #expect(format == "gif" ? distinct == 5 && images.count == 15 : distinct == 4 && images.count == 9)
    #expect(abs(image.duration - (format == "gif" ? 1.5 : 0.45)) < 0.001)
    #expect(image.cgImage?.width == images[0].cgImage?.width && image.cgImage !== images[0].cgImage)
    // The pool counts the bytes of the first frame and of the file.
    #expect(try pooledBytes == (format == "gif" ? 12 * 8 * 4 : 24 * 16 * 4) + Self.fixture(path).count)
    withExtendedLifetime(future) {}
  }

  @Test func `a still image has no frames and no duration`() async throws {
    let (image, _, _) = try await shown("webp/lossy.webp")
    #expect(image.images == nil && image.duration == 0)
  }

  @Test func `an animation beyond the limit of frames plays every second frame, and the loader reports it`() async throws {
    var limits = FutureImage.DecodingLimits()
    limits.maxFrames = 4
    let (image, _, _) = try await shown("gif/dispose-keep.gif", limits: limits)
    #expect(Set(image.images?.compactMap { $0.cgImage.map { ObjectIdentifier($0) } } ?? []).count == 3)
    #expect(abs(image.duration - 1.5) < 0.001)
    #expect(reductions.withLock { $0 } == [Reduced(frames: 3, of: 5, width: 12, height: 8)])
  }

  @Test func `an animation beyond the limit of bytes plays with fewer pixels, at its own size in points`() async throws {
    var limits = FutureImage.DecodingLimits()
    limits.maxAnimationBytes = 5 * 12 * 8 * 4 - 1
    let (image, _, _) = try await shown("gif/dispose-keep.gif", limits: limits)
    #expect(image.images?.first?.cgImage?.width == 11)
    #expect(image.size == CGSize(width: 12, height: 8))
    #expect(reductions.withLock { $0 } == [Reduced(frames: 5, of: 5, width: 11, height: 7)])
  }

  @Test func `an animation whose canvas exceeds a limit becomes a still image, and the loader reports it`() async throws {
    var limits = FutureImage.DecodingLimits()
    // To decode the animation, 8 bytes are needed for each of the 12 × 8 pixels of its canvas.
    limits.maxHeldBytes = 12 * 8 * 8 - 1
    let (image, _, _) = try await shown("gif/dispose-keep.gif", limits: limits)
    #expect(image.images == nil && image.cgImage?.width == 12)
    #expect(reductions.withLock { $0 } == [Reduced(frames: 1, of: 5, width: 12, height: 8)])
  }

  @Test func `with a limit of one frame, an animation becomes a still image, and no event reports the change`() async throws {
    var limits = FutureImage.DecodingLimits()
    limits.maxFrames = 1
    #expect(try await shown("gif/dispose-keep.gif", limits: limits).image.images == nil)
    #expect(reductions.withLock { $0 }.isEmpty)
  }

  @Test func `an animation of 120 frames that exceeds the default limit of bytes plays with fewer pixels`() async throws {
    let frames = (0..<120).map { _ in TestImage(width: 1, height: 1) }
    var file = TestImage.gif(frames: frames, frameDuration: .milliseconds(50))
    // The canvas has 800 × 600 pixels. Each frame covers one of them.
    file.replaceSubrange(6..<10, with: [0x20, 0x03, 0x58, 0x02])
    let fixture = LoaderFixture()
    let future = fixture.future()
    await fixture.serve("a", file)
    let image = try await future.animatedImage()
    #expect(image.size == CGSize(width: 800, height: 600))
    #expect(image.images?.first?.cgImage?.width == 431)
    #expect(Set(image.images?.compactMap { $0.cgImage.map { ObjectIdentifier($0) } } ?? []).count == 120)
  }

  @Test(arguments: [("once.gif", 1), ("twice.gif", 2), ("forever.gif", 0), ("once.webp", 1), ("twice.png", 2)])
  func `an image has the play count that its file declares`(name: String, count: Int) async throws {
    let (image, _, _) = try await shown("plays/\(name)", transform: .circle)
    #expect(image.images != nil && image.animationPlayCount == count)
    #expect(image.withRenderingMode(.alwaysTemplate).animationPlayCount == count)
  }

  struct PlayableRow: Sendable {
    /// The number of frames in the file.
    var count: Int
    /// The size of a frame in the file.
    var whole: FutureImage.PixelSize
    /// The requested size.
    var size: FutureImage.PixelSize
    /// The part of the animation that plays: the size of its frames, the number of frames to read, and the stride. Nil if the animation
    /// becomes a still image.
    var played: FutureImage.DecodingLimits.Playable?
  }

  @Test(arguments: [
    PlayableRow(count: 100, whole: (400, 300), played: ((400, 300), 100, 1)),
    PlayableRow(count: 120, whole: (800, 600), played: ((431, 323), 120, 1)),
    PlayableRow(count: 1_000, whole: (100, 100), played: ((100, 100), 1_000, 2)),
    PlayableRow(count: 10_000, whole: (100, 100), played: ((100, 100), 2_000, 4)),
    PlayableRow(count: 100, whole: (3000, 2000), at: (300, 200), played: ((300, 200), 20, 1)),
    PlayableRow(count: 2, whole: (9000, 9000), at: (300, 300), played: nil)
  ])
  func `the limits determine the size, the number, and the stride of the frames that play`(row: PlayableRow) {
    #expect(FutureImage.DecodingLimits().playable(row.count, of: row.whole, at: row.size) == row.played)
  }

  @Test func `limits of Int.max do not reduce an animation`() {
    var limits = FutureImage.DecodingLimits()
    (limits.maxFrames, limits.maxPixels, limits.maxAnimationBytes) = (.max, .max, .max)
    let size = FutureImage.PixelSize(width: 100, height: 100)
    #expect(limits.playable(10_000, of: size, at: size) == .init(size: size, read: 10_000, stride: 1))
  }

  @Test func `an animation is reduced to two frames with a sixteenth of the pixels, but becomes a still image if the limit is smaller`() {
    var limits = FutureImage.DecodingLimits()
    let size = FutureImage.PixelSize(width: 100, height: 100)
    limits.maxAnimationBytes = 25 * 25 * 4 * 2
    #expect(limits.playable(10, of: size, at: size) == .init(size: .init(width: 25, height: 25), read: 10, stride: 5))
    limits.maxAnimationBytes -= 1
    #expect(limits.playable(10, of: size, at: size) == nil)
  }

  @Test func `a transform changes every frame, and each frame has the image's size in points`() async throws {
    let (image, _, _) = try await shown("gif/dispose-keep.gif", size: CGSize(width: 6, height: 4), transform: .circle)
    let images = try #require(image.images)
    #expect(images.count == 15 && images.allSatisfy { $0.size == CGSize(width: 4, height: 4) })
    #expect(image.size == CGSize(width: 4, height: 4))
    let corners = images.compactMap { $0.cgImage.flatMap { FutureImage.PixelBuffer($0, scale: 1)?[0, 0].w } }
    #expect(corners.count == 15 && corners.allSatisfy { $0 < 128 })
  }

  @Test(
    arguments: [
      ([0.1, 0.1, 0.1], [1, 1, 1], 0.1), ([0.1, 0.3, 0.2], [1, 3, 2], 0.1), ([0.033, 0.034, 0.033], [3, 4, 3], 0.01),
      ([0.001, 0.004], [1, 1], 0.01), ([1, .infinity], [10, 1], 0.1), ([-5, 0.02], [1, 2], 0.01)
    ])
  func `a frame is repeated in proportion to its duration`(seconds: [TimeInterval], times: [Int], each: TimeInterval) {
    let found = DecodedFrames.times(seconds)
    #expect(found.times == times && abs(found.each - each) < 1e-9)
  }

  @Test func `a list of repeated frames is never much longer than ten thousand frames`() {
    let found = DecodedFrames.times([0.01, 0.03] + Array(repeating: 10_000, count: 99))
    #expect(found.times.reduce(0, +) <= 10_101 && found.times.allSatisfy { $0 > 0 })
    #expect(abs(found.each * Double(found.times.reduce(0, +)) - 990_000) < 200)
  }
}

extension AnimationTests.PlayableRow {
  fileprivate init(
    count: Int, whole: (Int, Int), at size: (Int, Int)? = nil, played: (size: (Int, Int), read: Int, stride: Int)?
  ) {
    func pixels(_ size: (Int, Int)) -> FutureImage.PixelSize { FutureImage.PixelSize(width: size.0, height: size.1) }
    self.init(
      count: count, whole: pixels(whole), size: pixels(size ?? whole),
      played: played.map { .init(size: pixels($0.size), read: $0.read, stride: $0.stride) })
  }
}
