import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ResizeTests {
  typealias Transform = FutureImage.Transform
  typealias PixelBuffer = FutureImage.PixelBuffer
  typealias PixelSize = FutureImage.PixelSize

  let fixture = LoaderFixture()

  func future(_ transform: Transform, size: CGSize? = nil) -> FutureImage {
    FutureImage(.url(LoaderFixture.url()), size: size, transform: transform, loader: fixture.loader)
  }

  func resized(_ buffer: PixelBuffer, _ width: Int, _ height: Int) throws -> PixelBuffer {
    let extent = SIMD2(Double(buffer.width), Double(buffer.height))
    return try #require(buffer.resampled(origin: .zero, extent: extent, width: width, height: height))
  }

  // MARK: Boxes with an infinite or invalid side

  @Test(arguments: [
    (CGSize(width: 100, height: CGFloat.infinity), CGSize(width: 100, height: 75)),
    (CGSize(width: CGFloat.infinity, height: 30), CGSize(width: 40, height: 30)),
    (CGSize(width: CGFloat.infinity, height: CGFloat.infinity), CGSize(width: 400, height: 300)),
    (CGSize(width: CGFloat.infinity, height: 0), CGSize(width: 400, height: 300)),
    (CGSize(width: CGFloat.infinity, height: CGFloat.nan), CGSize(width: 400, height: 300)),
    (CGSize(width: 100, height: -CGFloat.infinity), CGSize(width: 400, height: 300))
  ])
  func `a fit to a box with one infinite side uses the other side, and ignores the box if the other side is invalid`(
    box: CGSize, size: CGSize
  ) {
    #expect(Transform.resize(to: box).size(of: CGSize(width: 400, height: 300)) == size)
  }

  @Test(arguments: [Transform.ResizeMode.fill, .stretch])
  func `a fill or a stretch to a box with an infinite side leaves the size unchanged`(mode: Transform.ResizeMode) {
    let box = CGSize(width: 100, height: CGFloat.infinity)
    #expect(Transform.resize(to: box, mode).size(of: CGSize(width: 400, height: 300)) == CGSize(width: 400, height: 300))
  }

  @Test func `a resize that cannot have an effect is reported once, and no other resize is reported`() {
    let written = Lock<[String]>([])
    let warnings = DeveloperWarnings { text in written.withLock { $0.append(text) } }
    let validSize = CGSize(width: 160, height: 120)
    Transform.reportUnlessPossible(validSize, .fill, scale: 3, to: warnings)
    Transform.reportUnlessPossible(CGSize(width: 160, height: CGFloat.infinity), .fit, scale: 3, to: warnings)
    #expect(written.withLock { $0.isEmpty })
    let invalidResizes: [(size: CGSize, mode: Transform.ResizeMode, scale: CGFloat)] = [
      (CGSize(width: 160, height: CGFloat.infinity), .fill, 3), (CGSize(width: -1, height: 120), .fit, 3), (validSize, .fit, 0)
    ]
    for _ in 0..<2 {
      for resize in invalidResizes { Transform.reportUnlessPossible(resize.size, resize.mode, scale: resize.scale, to: warnings) }
    }
    #expect(written.withLock { $0 } == invalidResizes.map { Transform.warning(about: $0.size, $0.mode, $0.scale) })
  }

  // MARK: The filter

  @Test(arguments: ["opaque", "cut"], ["lanczos-40x30", "lanczos-13x50", "bicubic-150x100"])
  func `a resized image is close to Pillow's result`(source: String, name: String) throws {
    let wanted = try #require(PixelBuffer.fixture("resize/\(source)-\(name).png"))
    let picture = try #require(PixelBuffer.fixture("resize/\(source).png"))
    let likeness = try resized(picture, wanted.width, wanted.height).likeness(wanted)
    #expect(likeness > 48)
  }

  @Test(arguments: ["opaque", "cut"])
  func `if a part of an image begins between two pixels, the resized part is close to Pillow's result`(source: String) throws {
    let wanted = try #require(PixelBuffer.fixture("resize/\(source)-part-36x27.png"))
    let picture = try #require(PixelBuffer.fixture("resize/\(source).png"))
    let part = try #require(picture.resampled(origin: [10.5, 6.25], extent: [72, 54], width: 36, height: 27))
    #expect(part.likeness(wanted) > 48)
  }

  @Test func `the Lanczos kernel and the cubic kernel have the published values`() {
    // The Lanczos kernel is sinc(x) sinc(x / 3), which is zero at each whole number except 0. The cubic kernel is that of Keys.
    #expect(abs(ResamplingWeights.lanczos(0.5) - 0.6079271018540267) < 1e-12)
    for x in [1.0, 2, 3, 4] { #expect(abs(ResamplingWeights.lanczos(x)) < 1e-12) }
    #expect(ResamplingWeights.lanczos(0) == 1 && ResamplingWeights.cubic(0) == 1)
    #expect(ResamplingWeights.cubic(0.5) == 0.5625 && ResamplingWeights.cubic(-1.5) == -0.0625)
    #expect(ResamplingWeights.cubic(1) == 0 && ResamplingWeights.cubic(2) == 0)
  }

  @Test func `a resize to twice the width gives the values computed by hand`() throws {
    // At a quarter of a pixel from the nearest pixel, Keys' weights are -9, 111, 29, and -3 parts of 128.
    let enlarged = try resized(PixelBuffer(row: [0, 0, 128, 128, 0, 0]), 12, 1).reds
    #expect(enlarged == [0, 0, 0, 26, 102, 140, 140, 102, 26, 0, 0, 0])
  }

  @Test(arguments: [(20, 0, 20), (20, 3.3, 11.5), (9, 0.5, 8), (3, 0, 3)] as [(Int, Double, Double)])
  func `every pixel of a resized row is the mean of the source pixels, weighted by the kernel`(count: Int, origin: Double, extent: Double)
    throws
  {
    let row: [UInt8] = (0..<count).map { $0 * $0 % 7 < 3 ? 255 : 0 }
    for width in 1...40 {
      let part = try #require(PixelBuffer(row: row).resampled(origin: [origin, 0], extent: [extent, 1], width: width, height: 1))
      let ratio = extent / Double(width)
      for (x, level) in part.reds.enumerated() {
        let center = origin + (Double(x) + 0.5) * ratio
        var (sum, weights) = (0.0, 0.0)
        for (index, source) in row.enumerated() {
          let distance = Double(index) + 0.5 - center
          let weight = ratio > 1 ? ResamplingWeights.lanczos(distance / ratio) : ResamplingWeights.cubic(distance)
          sum += weight * Double(source)
          weights += weight
        }
        let wanted = min(max(sum / weights, 0), 255)
        if abs(wanted - Double(level)) > 0.51 { Issue.record("pixel \(x) of \(width) is \(level) instead of \(wanted)") }
      }
    }
  }

  @Test(arguments: [(1, 1), (1, 7), (7, 1), (3, 64), (33, 2), (100, 100)])
  func `a resized image of one color has that color at every size`(width: Int, height: Int) throws {
    let color = SIMD4<UInt8>(200, 3, 77, 130)
    for (wide, high) in [(1, 1), (1, 40), (40, 1), (17, 13)] {
      #expect(try resized(.plain(wide, high, color), width, height) == .plain(width, height, color))
    }
  }

  @Test func `a resize preserves the mean of the pixels`() throws {
    for seed in 0..<4 {
      let picture = PixelBuffer.noise(64, 48, seed: UInt64(seed), isOpaque: seed % 2 == 0)
      for (width, height) in [(32, 24), (20, 48), (13, 11), (128, 96)] {
        let (mean, wanted) = (try resized(picture, width, height).mean, picture.mean)
        for channel in 0..<4 { #expect(abs(mean[channel] - wanted[channel]) < 3) }
      }
    }
  }

  @Test func `a resize does not spread the colors of transparent pixels`() throws {
    let picture = PixelBuffer(16, 16) { x, _ in x < 8 ? SIMD4(200, 0, 0, 255) : SIMD4(0, 255, 0, 0) }
    for edge in [5, 7, 31] {
      let resized = try resized(picture, edge, edge)
      for start in stride(from: 0, to: resized.bytes.count, by: 4) where resized.bytes[start + 3] > 0 {
        #expect(resized.bytes[start] == 200 && resized.bytes[start + 1] == 0)
      }
    }
  }

  // MARK: The shape

  static let photo = CGSize(width: 400, height: 300)
  static let small = CGSize(width: 40, height: 30)
  static let box = CGSize(width: 100, height: 100)

  @Test(arguments: [
    (photo, Transform.ResizeMode.fit, false, CGSize(width: 100, height: 75), CGSize(width: 400, height: 300)),
    (photo, .fill, false, CGSize(width: 100, height: 100), CGSize(width: 300, height: 300)),
    (photo, .stretch, false, CGSize(width: 100, height: 100), CGSize(width: 400, height: 300)),
    (small, .fit, false, small, small),
    (small, .fill, false, CGSize(width: 30, height: 30), CGSize(width: 30, height: 30)),
    (small, .stretch, false, CGSize(width: 30, height: 30), small),
    (small, .fit, true, CGSize(width: 100, height: 75), small),
    (small, .fill, true, CGSize(width: 100, height: 100), CGSize(width: 30, height: 30)),
    (small, .stretch, true, CGSize(width: 100, height: 100), small)
  ])
  func `each resize mode gives the expected size and uses the expected part of the image`(
    points: CGSize, mode: Transform.ResizeMode, enlarges: Bool, size: CGSize, part: CGSize
  ) {
    let frame = Transform.Frame(
      resizing: Transform.Vector(points), to: Transform.Vector(Self.box), mode, enlarges: enlarges, scale: 1)
    #expect(abs(frame.size.x - size.width) < 1e-9 && abs(frame.size.y - size.height) < 1e-9)
    #expect(abs(frame.extent.x - part.width) < 1e-9 && abs(frame.extent.y - part.height) < 1e-9)
    // The part is in the middle of the image.
    #expect(abs(frame.origin.x * 2 + frame.extent.x - points.width) < 1e-9)
    #expect(abs(frame.origin.y * 2 + frame.extent.y - points.height) < 1e-9)
  }

  @Test(arguments: [
    CGSize.zero, CGSize(width: -4, height: 3), CGSize(width: 4, height: 0), CGSize(width: CGFloat.nan, height: 4),
    CGSize(width: CGFloat.infinity, height: CGFloat.infinity)
  ])
  func `a resize with an invalid size or scale leaves the image unchanged`(size: CGSize) throws {
    let picture = PixelBuffer.noise(9, 7, seed: 1)
    for mode in [Transform.ResizeMode.fit, .fill, .stretch] {
      #expect(try picture.after(.resize(to: size, mode, enlarges: true)) == picture)
    }
    #expect(try picture.after(.resize(to: CGSize(width: 4, height: 4), scale: .nan)) == picture)
    for scale in [CGFloat(0), -1] { #expect(try picture.after(.resize(to: CGSize(width: 4, height: 4), scale: scale)) == picture) }
  }

  @Test func `a resize to the size of the image does not change its bytes, even those of transparent pixels`() throws {
    let picture = PixelBuffer(6, 4) { x, y in SIMD4(UInt8(40 * x), UInt8(60 * y), 7, x == 0 ? 0 : 255) }
    #expect(try picture.after(.resize(toPixels: PixelSize(width: 6, height: 4), .stretch)) == picture)
  }

  @Test func `if a resize would make an enormous image, the resize throws, and size(of:) returns at most a million points`() {
    let picture = PixelBuffer.noise(9, 7, seed: 1)
    for edge in [1e5, 1e18, CGFloat.greatestFiniteMagnitude] {
      let transform = Transform.resize(to: CGSize(width: edge, height: edge), .stretch, enlarges: true, scale: .greatestFiniteMagnitude)
      #expect(throws: FutureImage.Failure.self) { try picture.after(transform) }
      #expect(transform.size(of: CGSize(width: 9, height: 7)).width <= 1e6)
    }
    let edges = FutureImage.PixelSize(width: 10_001, height: 10_000)
    #expect(throws: FutureImage.Failure.self) { try picture.after(.resize(toPixels: edges, .stretch, enlarges: true)) }
    // This resize does not enlarge, so its result is no larger than the image.
    #expect(throws: Never.self) { try picture.after(.resize(to: CGSize(width: 1e18, height: 1e18))) }
  }

  @Test func `an image with an extreme ratio is still at least one pixel high after a resize`() throws {
    let line = try PixelBuffer.plain(2000, 1, SIMD4(9, 8, 7, 255)).after(.resize(toPixels: PixelSize(width: 10, height: 10)))
    #expect(line == .plain(10, 1, SIMD4(9, 8, 7, 255)))
  }

  @Test func `two resize transforms are equal only if all their arguments are equal`() {
    let size = CGSize(width: 10, height: 20)
    let transforms: [Transform] = [
      .resize(to: size), .resize(to: size, .fill), .resize(to: size, .stretch), .resize(to: size, enlarges: true),
      .resize(to: size, scale: 2), .resize(to: CGSize(width: 20, height: 10)), .resize(to: CGSize(width: 10.1, height: 20)),
      .custom(Transform.resize(to: size).names) { $0 }
    ]
    #expect(Set(transforms).count == transforms.count)
    #expect(Transform.resize(toPixels: PixelSize(width: 10, height: 20)) == .resize(to: size, scale: 1))
  }

  // MARK: Futures with a resize

  @Test func `a resize decodes the smallest step that has enough pixels`() async throws {
    let decoded = Lock<[Int]>([])
    let fixture = LoaderFixture {
      $0.onEvent = { _, event in if case .decoded(let width, _, _) = event { decoded.withLock { $0.append(width) } } }
    }
    let future = FutureImage(
      .url(LoaderFixture.url()), transform: .resize(to: CGSize(width: 100, height: 100), .fill, scale: 2), loader: fixture.loader)
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    let whole = try await future.value
    #expect(whole.cgImage.map { [$0.width, $0.height] } == [200, 200])
    #expect(whole.size == CGSize(width: 100, height: 100) && whole.scale == 2)
    // 200 of 900 pixels are 1.78 eighths, so the image is decoded at two eighths.
    #expect(decoded.withLock { $0 } == [300])
    await fixture.loader.waitForIdle()
  }

  @Test func `a view gets as many pixels as it needs, but at most the pixels of the resized image`() async throws {
    let future = future(.resize(to: CGSize(width: 300, height: 300), .fill, scale: 3))
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    // An eighth and three eighths of 900 pixels are 113 and 338 pixels, rounded up.
    for (edge, pixels) in [(100, 113), (300, 338), (900, 900), (5000, 900)] {
      let image = try await future.value(fitting: .square(edge))
      #expect(image.cgImage?.width == pixels)
      #expect(image.size == CGSize(width: 300, height: 300))
    }
  }

  @Test func `a future with a known size has the resized size before and after loading`() async throws {
    let future = future(.resize(to: CGSize(width: 50, height: 50)), size: CGSize(width: 400, height: 300))
    // A height of 37.5 points is 112.5 pixels at the default scale of 3. This is rounded up to 113 pixels.
    #expect(abs(future.size.width - 50) < 1e-9 && abs(future.size.height - 113 / 3) < 1e-9)
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    let image = try await future.value
    #expect(image.size == future.size)
    #expect(image.cgImage.map { [$0.width, $0.height] } == [150, 113])
  }

  @Test func `different sizes are decoded separately from one download`() async throws {
    let sizes = [40, 80, 40].map { CGSize(width: $0, height: $0) }
    let futures =
      sizes.map { future(.resize(to: $0)) } + [future(.resize(to: sizes[0], .fill)), future(.resize(to: sizes[0]).then(.circle))]
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    let images = try await futures.images()
    #expect(images[0] === images[2])
    #expect(Set(images.map { ObjectIdentifier($0) }).count == 4)
    #expect(images.map(\.size.width) == [40, 80, 40, 40, 30])
    #expect(fixture.held.requests.count == 1)
    #expect(fixture.loader.statistics.decodes == 4)
  }

  @Test func `a corner radius after a resize is in points of the resized image`() async throws {
    let future = future(.resize(to: CGSize(width: 100, height: 75), scale: 2).then(.roundedCorners(20)))
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    let image = try await future.value
    let pixels = try #require(image.cgImage.flatMap { PixelBuffer($0, scale: 1) })
    // 20 points are 40 pixels. On the diagonal, the arc is 11.7 pixels from both edges.
    #expect(pixels[10, 10].w == 0 && pixels[12, 12].w == 255)
  }
}
