import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images at an exact size, as opposed to the decode steps that views share.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ResizedValueTests {
  typealias PixelSize = FutureImage.PixelSize
  typealias Mode = FutureImage.Transform.ResizeMode

  let fixture = LoaderFixture(disk: .temporary())

  struct Case: Sendable, CustomTestStringConvertible {
    let picture: (Int, Int)
    let box: (Int, Int)
    let mode: Mode
    var enlarges = false
    let expected: (Int, Int)
    var testDescription: String { "\(picture) \(mode) \(box) \(enlarges)" }
  }

  static let cases = [
    Case(picture: (1200, 900), box: (320, 320), mode: .fit, expected: (320, 240)),
    Case(picture: (1200, 900), box: (320, 240), mode: .fill, expected: (320, 240)),
    Case(picture: (1200, 900), box: (100, 100), mode: .fill, expected: (100, 100)),
    Case(picture: (1200, 900), box: (100, 30), mode: .stretch, expected: (100, 30)),
    Case(picture: (1000, 333), box: (100, 100), mode: .fit, expected: (100, 33)),
    Case(picture: (997, 331), box: (61, 61), mode: .fill, expected: (61, 61)),
    Case(picture: (64, 48), box: (128, 128), mode: .fit, expected: (64, 48)),
    Case(picture: (64, 48), box: (128, 128), mode: .fit, enlarges: true, expected: (128, 96)),
    Case(picture: (64, 48), box: (200, 100), mode: .fill, enlarges: true, expected: (200, 100)),
    Case(picture: (64, 48), box: (0, 100), mode: .fit, expected: (64, 48)),
    Case(picture: (1200, 900), box: (0, 100), mode: .fit, expected: (1200, 900)),
    Case(picture: (1200, 900), box: (100, 0), mode: .fit, expected: (1200, 900)),
    Case(picture: (64, 48), box: (1, 1), mode: .fit, expected: (1, 1))
  ]

  @Test(arguments: cases) func `a resized value has the same size as the result of a resize transform`(row: Case) async throws {
    let box = PixelSize(width: row.box.0, height: row.box.1)
    let future = fixture.future()
    let transformed = FutureImage(
      .url(LoaderFixture.url()), transform: .resize(toPixels: box, row.mode, enlarges: row.enlarges), loader: fixture.loader)
    await fixture.serve("a", SampleImage.noise(row.picture.0, row.picture.1))
    let image = try await future.value(resizedTo: box, row.mode, enlarges: row.enlarges)
    #expect(image.size == CGSize(width: row.expected.0, height: row.expected.1))
    #expect(image.scale == 1)
    #expect(image.cgImage?.width == row.expected.0 && image.cgImage?.height == row.expected.1)
    let other = try await transformed.value
    #expect(other.cgImage?.width == row.expected.0 && other.cgImage?.height == row.expected.1)
  }

  @Test func `for a resized value, only the smallest sufficient decode step is decoded, and no cache stores the value`() async throws {
    let future = fixture.future()
    await fixture.serve()
    let box = PixelSize(width: 320, height: 320)
    let images = [try await future.value(resizedTo: box), try await future.value(resizedTo: box)]
    #expect(images[0] !== images[1])
    // 320 of 1200 pixels are 2.1 eighths, so the image is decoded at three eighths. The pool has only these pixels.
    #expect(fixture.loader.statistics.decodes == 1)
    #expect(fixture.loader.pixelBytes == 450 * 338 * 4)
  }

  @Test func `a value that is resized to fill a box shows the middle of the image`() async throws {
    let pixels = FutureImage.PixelBuffer(300, 100) { x, _ in
      x < 100 ? SIMD4(255, 0, 0, 255) : x < 200 ? SIMD4(0, 255, 0, 255) : SIMD4(0, 0, 255, 255)
    }
    let picture = UIImage(cgImage: try #require(pixels.makeImage()))
    let future = FutureImage(.image(picture, key: "bars"), loader: fixture.loader)
    let image = try await future.value(resizedTo: PixelSize(width: 50, height: 50), .fill)
    let shown = try #require(image.cgImage)
    let middle = try #require(FutureImage.PixelBuffer(shown, scale: 1))
    #expect(middle[25, 25] == SIMD4(0, 255, 0, 255))
    #expect(middle[3, 25].y > 200 && middle[46, 25].y > 200)
  }

  @Test func `a rotated image from an app's own cache is returned upright`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let stored = try #require(SampleImage.image(64, 48).cgImage)
    cache.setObject(UIImage(cgImage: stored, scale: 1, orientation: .right), forKey: "a")
    let future = fixture.future(policy: .using(cache: cache, key: "a"))
    let image = try await future.value(resizedTo: PixelSize(width: 24, height: 32), .fill)
    #expect(image.size == CGSize(width: 24, height: 32))
    #expect(image.imageOrientation == .up)
  }

  @Test func `the pixels of a rotated image are rotated before they are resized`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let pixels = FutureImage.PixelBuffer(64, 64) { x, _ in x < 32 ? SIMD4(255, 0, 0, 255) : SIMD4(0, 0, 255, 255) }
    // The orientation moves the left half to the top.
    cache.setObject(UIImage(cgImage: try #require(pixels.makeImage()), scale: 1, orientation: .right), forKey: "a")
    let future = fixture.future(policy: .using(cache: cache, key: "a"))
    let image = try await future.value(resizedTo: PixelSize(width: 16, height: 16))
    let bitmap = try #require(image.cgImage)
    let shown = try #require(FutureImage.PixelBuffer(bitmap, scale: 1))
    #expect(shown[1, 1].x > 200 && shown[14, 1].x > 200)
    #expect(shown[1, 14].z > 200 && shown[14, 14].z > 200)
  }

  @Test func `a resized value is not enlarged by default`() async throws {
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(64, 48))
    #expect(try await future.value(resizedTo: PixelSize(width: 128, height: 128)).size == CGSize(width: 64, height: 48))
  }

  @Test func `a resized value has the rendering mode that was passed to withRenderingMode`() async throws {
    let future = fixture.future()
    let derived = try #require(future.withRenderingMode(.alwaysTemplate) as? FutureImage)
    await fixture.serve()
    let image = try await derived.value(resizedTo: PixelSize(width: 32, height: 32))
    #expect(image.renderingMode == .alwaysTemplate)
    #expect(image.cgImage?.width == 32)
  }

  @Test func `a request for a resized value throws if the image fails, or if the future has neither a source nor an image`() async throws {
    let fixture = LoaderFixture { $0.retry = .never }
    let future = fixture.future()
    let resized = Task { try await future.value(resizedTo: PixelSize(width: 32, height: 32)) }
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    let failure = await #expect(throws: FutureImage.Failure.self) { try await resized.value }
    #expect(failure?.reason == .status(404))
    let failureWithoutSource = await #expect(throws: FutureImage.Failure.self) {
      try await FutureImage().value(resizedTo: PixelSize(width: 32, height: 32))
    }
    #expect(failureWithoutSource?.reason.isRefused == true)
    // A future that was created from pixels has no source either, but it has an image.
    let pixels = try #require(SampleImage.image(64, 48).cgImage)
    #expect(try await FutureImage(cgImage: pixels).value(resizedTo: PixelSize(width: 32, height: 32)).size == CGSize(width: 32, height: 24))
  }
}
