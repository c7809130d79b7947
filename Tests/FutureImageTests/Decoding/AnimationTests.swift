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

  private func shown(
    _ path: String, size: CGSize? = nil, transform: FutureImage.Transform? = nil, limits: FutureImage.DecodingLimits = .init()
  ) async throws -> (image: UIImage, future: FutureImage, bytes: Int) {
    let shop = Shop { $0.decoder = FutureImage.StandardDecoder(limits: limits) }
    let future = FutureImage(.url(Shop.url()), cachePolicy: .modelOnly, size: size, transform: transform, loader: shop.loader)
    await shop.held.waitForHeld()
    shop.held.resolve(Shop.url(), with: try Self.fixture(path))
    let image = try await future.value
    return (image, future, shop.loader.pixelBytes)
  }

  @Test("The frames of a GIF and a WebP become the image's images, each repeated in proportion to its duration", arguments: ["gif", "webp"])
  func images(format: String) async throws {
    let path = format == "gif" ? "gif/dispose-keep.gif" : "webp/animated.webp"
    let (image, future, kept) = try await shown(path)
    let images = try #require(image.images)
    let distinct = Set(images.compactMap { $0.cgImage.map { ObjectIdentifier($0) } }).count
    #expect(format == "gif" ? distinct == 5 && images.count == 15 : distinct == 4 && images.count == 9)
    #expect(abs(image.duration - (format == "gif" ? 1.5 : 0.45)) < 0.001)
    #expect(image.cgImage?.width == images[0].cgImage?.width && image.cgImage !== images[0].cgImage)
    // The pool counts every frame once.
    #expect(kept == (format == "gif" ? 5 * 12 * 8 * 4 : 4 * 24 * 16 * 4))
    withExtendedLifetime(future) {}
  }

  @Test("A still image has no frames and no duration")
  func still() async throws {
    let (image, _, _) = try await shown("webp/lossy.webp")
    #expect(image.images == nil && image.duration == 0)
  }

  @Test("Beyond the limit of frames or of their bytes, only the first frame is shown")
  func budget() async throws {
    var limits = FutureImage.DecodingLimits()
    limits.frames = 4
    #expect(try await shown("gif/dispose-keep.gif", limits: limits).image.images == nil)
    limits = .init()
    limits.animationBytes = 5 * 12 * 8 * 4 - 1
    let (image, future, kept) = try await shown("gif/dispose-keep.gif", limits: limits)
    #expect(image.images == nil && image.cgImage?.width == 12 && kept == 12 * 8 * 4)
    withExtendedLifetime(future) {}
  }

  @Test("A transform changes every frame, and each frame has the image's size in points")
  func transform() async throws {
    let (image, _, _) = try await shown("gif/dispose-keep.gif", size: CGSize(width: 6, height: 4), transform: .circle)
    let images = try #require(image.images)
    #expect(images.count == 15 && images.allSatisfy { $0.size == CGSize(width: 4, height: 4) })
    #expect(image.size == CGSize(width: 4, height: 4))
    let corners = images.compactMap { $0.cgImage.flatMap { FutureImage.PixelBuffer($0, scale: 1)?[0, 0].w } }
    #expect(corners.count == 15 && corners.allSatisfy { $0 < 128 })
  }

  @Test("An animation plays at a view's reduced size, and its carrier plays until the full size arrives")
  func views() async throws {
    let shop = Shop()
    let future = shop.future()
    let view = imageView(6, 4)
    view.futureImage = future
    await shop.serve("a", try Self.fixture("webp/animated.webp"))
    #expect(view.image?.images?.first?.cgImage?.width == 6)
    let large = imageView(24, 16)
    large.futureImage = future
    #expect(large.image is FutureImage && large.image?.images?.count == 9 && large.image?.duration == view.image?.duration)
    await shop.loader.waitUntilSettled()
    #expect(large.image?.images?.first?.cgImage?.width == 24)
  }

  @Test(
    "A frame is repeated in proportion to its duration",
    arguments: [
      ([0.1, 0.1, 0.1], [1, 1, 1], 0.1), ([0.1, 0.3, 0.2], [1, 3, 2], 0.1), ([0.033, 0.034, 0.033], [3, 4, 3], 0.01),
      ([0.001, 0.004], [1, 1], 0.01), ([1, .infinity], [10, 1], 0.1), ([-5, 0.02], [1, 2], 0.01)
    ])
  func times(seconds: [TimeInterval], times: [Int], each: TimeInterval) {
    let found = FutureImage.Animation.times(seconds)
    #expect(found.times == times && abs(found.each - each) < 1e-9)
  }

  @Test("A list of repeated frames is never much longer than ten thousand")
  func longTimes() {
    let found = FutureImage.Animation.times([0.01, 0.03] + Array(repeating: 10_000, count: 99))
    #expect(found.times.reduce(0, +) <= 10_101 && found.times.allSatisfy { $0 > 0 })
    #expect(abs(found.each * Double(found.times.reduce(0, +)) - 990_000) < 200)
  }
}
