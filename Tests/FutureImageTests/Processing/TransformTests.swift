import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TransformTests {
  typealias Transform = FutureImage.Transform
  typealias PixelBuffer = FutureImage.PixelBuffer

  struct Torn: Error {}

  static let negative = Transform.customPixels("negative") { buffer in
    var buffer = buffer
    for y in 0..<buffer.height {
      for x in 0..<buffer.width {
        let pixel = buffer[x, y]
        buffer[x, y] = SIMD4(255 - pixel.x, 255 - pixel.y, 255 - pixel.z, pixel.w)
      }
    }
    return buffer
  }

  let fixture = LoaderFixture(disk: .temporary())

  func future(_ transform: Transform?) -> FutureImage {
    FutureImage(.url(LoaderFixture.url()), transform: transform, loader: fixture.loader)
  }

  func pixel(_ image: UIImage, _ x: Int, _ y: Int) throws -> SIMD4<UInt8> {
    let pixels = try #require(image.cgImage)
    return try #require(PixelBuffer(pixels, scale: 1))[x, y]
  }

  @Test func `a custom transform is applied to the image at every requested size`() async throws {
    let future = future(Self.negative)
    await fixture.serve("a", SampleImage.jpeg(1200, 900, red: 250, green: 5, blue: 5))
    for width in [150, 1200] {
      let image = try await future.value(fitting: .fit(width: width, height: width))
      #expect(image.cgImage?.width == width)
      #expect(try pixel(image, 10, 10).x < 20 && pixel(image, 10, 10).y > 235)
      #expect(image.size == CGSize(width: 1200, height: 900))
    }
  }

  @Test func `the steps of a transform run in the given order`() async throws {
    let order = Lock<[String]>([])
    func recording(_ name: String) -> Transform {
      .custom(name) { buffer in
        order.withLock { $0.append(name) }
        return buffer
      }
    }
    let future = future(recording("a").then(recording("b")).then(recording("c")))
    await fixture.serve("a", SampleImage.jpeg())
    _ = try await future.value
    #expect(order.withLock { $0 } == ["a", "b", "c"])
  }

  @Test(arguments: [0, -1, .infinity, .nan] as [CGFloat])
  func `a step whose result has an invalid scale leaves the scale unchanged`(scale: CGFloat) throws {
    let half = Transform(
      "half",
      .pixels { buffer in
        let part = buffer.cropped(x: 0, y: 0, width: 4, height: 6)
        return PixelBuffer(width: 4, height: 6, scale: scale, bytes: part.bytes) ?? buffer
      })
    let plan = Transform.Plan(half, fullSize: FutureImage.PixelSize(width: 8, height: 6), points: CGSize(width: 4, height: 3))
    let (changed, points) = try half.apply(to: PixelBuffer.noise(8, 6, seed: 9).scaled(2), plan, at: .full)
    #expect(changed.width == 4 && changed.scale == 2 && points == CGSize(width: 2, height: 3))
  }

  @Test func `the result of a custom step is turned upright`() throws {
    let turned = Transform.custom("turned") { image in
      image.cgImage.map { UIImage(cgImage: $0, scale: image.scale, orientation: .right) } ?? image
    }
    let pixels = PixelBuffer(2, 1) { x, _ in SIMD4(x == 0 ? 255 : 0, 0, 0, 255) }
    let upright = try pixels.after(turned)
    #expect((upright.width, upright.height) == (1, 2) && upright.reds == [255, 0])
  }

  @Test func `if the result of a custom step has no pixels, the image fails`() {
    let empty = Transform.custom("empty") { _ in UIImage() }
    let failure = #expect(throws: FutureImage.Failure.self) { try PixelBuffer.noise(4, 4, seed: 1).after(empty) }
    #expect(failure?.reason == .transformFailed("empty: its result has no pixels; return an image with pixels"))
  }

  @Test func `a crop that precedes a resize crops the pixels, and does not resize them`() throws {
    let widths = Lock<[Int]>([])
    let recordWidth = Transform.customPixels("recordWidth") { buffer in
      widths.withLock { $0.append(buffer.width) }
      return buffer
    }
    let crop = Transform.crop(CGRect(x: 0, y: 0, width: 32, height: 32))
    let resize = Transform.resize(toPixels: FutureImage.PixelSize(width: 8, height: 8))
    let small = try PixelBuffer.noise(64, 64, seed: 1).after(crop.then(recordWidth).then(resize))
    #expect(widths.withLock { $0 } == [32] && small.width == 8)
  }

  @Test func `transforms with equal names share a decode, and all transforms share one fetch`() async throws {
    let futures = [future(Self.negative), future(Transform.custom("negative") { $0 }), future(.circle), future(nil)]
    await fixture.serve("a", SampleImage.jpeg())
    let images = try await futures.images()
    #expect(images[0] === images[1])
    #expect(Set(images.map { ObjectIdentifier($0) }).count == 3)
    #expect(fixture.loader.statistics.decodes == 3)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a failure names the transform that failed; a future of the same URL without the transform succeeds`() async throws {
    let (torn, whole) = (future(.custom("tear") { _ in throw Torn() }), future(nil))
    await fixture.serve("a", SampleImage.jpeg())
    await #expect { try await torn.value } throws: { error in
      guard case .transformFailed(let description)? = (error as? FutureImage.Failure)?.reason else { return false }
      return description.hasPrefix("tear") && (error as? FutureImage.Failure)?.underlying is Torn
    }
    _ = try await whole.value
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    #expect(fixture.loader.statistics.failures == 1)
  }

  @Test func `rounded corners are cut smoothly and symmetrically, and nothing else is cut`() throws {
    let white = try #require(PixelBuffer(width: 20, height: 12, bytes: [UInt8](repeating: 255, count: 20 * 12 * 4)))
    let cut = white.cornersCut(radius: 5)
    for (x, y) in [(0, 0), (19, 0), (0, 11), (19, 11)] { #expect(cut[x, y].w == 0) }
    for (x, y) in [(10, 0), (0, 6), (10, 6), (5, 5)] { #expect(cut[x, y] == white[x, y]) }
    for y in 0..<12 { for x in 0..<20 { #expect(cut[x, y] == cut[19 - x, 11 - y]) } }
    #expect((0..<5).contains { (1...254).contains(cut[$0, 1].w) })
    #expect(white.cornersCut(radius: 0) == white)
  }

  @Test(arguments: [
    UIRectCorner.topLeft, .topRight, .bottomLeft, .bottomRight, [.topLeft, .topRight], [.topLeft, .bottomRight], []
  ])
  func `only the requested corners are cut, and the transform does not equal one that cuts all corners`(corners: UIRectCorner) throws {
    for (width, height) in [(21, 13), (20, 12)] {
      let cut = try PixelBuffer.plain(width, height, SIMD4(9, 9, 9, 255)).after(.roundedCorners(50, corners))
      for (corner, x, y) in [
        (UIRectCorner.topLeft, 0, 0), (.topRight, width - 1, 0), (.bottomLeft, 0, height - 1), (.bottomRight, width - 1, height - 1)
      ] { #expect(cut[x, y].w == (corners.contains(corner) ? 0 : 255)) }
    }
    #expect(Transform.roundedCorners(50, corners) != .roundedCorners(50))
  }

  @Test func `a disc of five pixels has the alphas computed by hand`() throws {
    // The alpha of a pixel at the edge is multiplied by the radius plus a half, minus the distance of the pixel's center from the middle.
    // The radius is 2.5 pixels. The distance is 2.83 pixels for a corner pixel, and 2.236 pixels for the two pixels beside it.
    let disc = try PixelBuffer.plain(5, 5, SIMD4(9, 9, 9, 200)).after(.circle)
    #expect(Array(disc.alphas.prefix(10)) == [34, 153, 200, 153, 34, 153, 200, 200, 200, 153])
    #expect(disc.alphas == disc.alphas.reversed())
    #expect(disc.reds == [UInt8](repeating: 9, count: 25))
  }

  @Test(arguments: [0, -3, .nan, -.infinity] as [CGFloat])
  func `a radius that is not positive leaves the corners unchanged`(radius: CGFloat) throws {
    let picture = PixelBuffer.noise(9, 7, seed: 6)
    #expect(try picture.after(.roundedCorners(radius)) == picture)
  }

  @Test func `an infinite corner radius means half of the shorter side`() throws {
    let picture = PixelBuffer.noise(9, 7, seed: 6)
    #expect(try picture.after(.roundedCorners(.infinity)) == picture.cornersCut(radius: 3.5))
  }

  @Test func `a custom transform differs from a built-in transform and from a sequence with the same name`() {
    #expect(Transform.custom("circle") { $0 } != .circle)
    #expect(Transform.custom("a, b") { $0 } != Transform.custom("a") { $0 }.then(.custom("b") { $0 }))
  }

  @Test func `a corner radius is in points, so a smaller decode has the same corners`() async throws {
    let future = future(.roundedCorners(400))
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    let small = try await future.value(fitting: .fit(width: 150, height: 150))
    #expect(try pixel(small, 5, 5).w == 0)
    #expect(try pixel(small, 60, 2).w == 255)
  }

  @Test func `a circle is a centered disc as wide as the shorter side`() async throws {
    let future = future(.circle)
    await fixture.serve("a", SampleImage.jpeg(120, 80))
    let image = try await future.value
    #expect(image.cgImage.map { [$0.width, $0.height] } == [80, 80])
    #expect(image.size == CGSize(width: 80, height: 80))
    #expect(try pixel(image, 0, 0).w == 0)
    #expect(try pixel(image, 40, 40).w == 255)
  }

  @Test func `creating a pixel buffer of an impossible size returns nil`() {
    #expect(PixelBuffer(width: 0, height: 1) == nil && PixelBuffer(width: 1, height: 0) == nil)
    #expect(PixelBuffer(width: 2, height: 2, bytes: [1, 2, 3]) == nil)
    #expect(PixelBuffer(width: .max, height: .max) == nil)
  }

  @Test func `a future has the transform of its recipe`() throws {
    enum Round: FutureImage.Recipe {
      static var transform: Transform? { .circle }
    }
    let photo = FutureImage.From<Round, FutureImage>("https://shop.test/a.jpg", loader: fixture.loader)
    #expect(photo.wrappedValue.descriptor?.transform == .circle)
  }
}
