import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PlaceholderTests {
  typealias Placeholder = FutureImage.Placeholder

  private static let blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
  private static let thumbHash = "1QcSHQRnh493V4dIh4eXh1h4kJUI"
  private static let dataURL = "data:image/png;base64,\(Samples.picture.base64EncodedString())"

  private static let decoded: [Placeholder] = [
    .color(FutureImage.Color(red: 1, green: 0.5, blue: 0, alpha: 0.25)), .color(hex: "#ff8000"), .blurHash(blurHash), .thumbHash(thumbHash),
    .dataURL(dataURL)
  ]

  private func pixels(_ image: UIImage?) -> FutureImage.PixelBuffer? {
    image?.cgImage.flatMap { FutureImage.PixelBuffer($0, scale: 1) }
  }

  // MARK: - Sizes

  @Test(arguments: decoded)
  func `a placeholder image of a few pixels has the size of the final image`(placeholder: Placeholder) throws {
    // The image of the data URL keeps its aspect ratio of 4 : 3, so all sizes have this ratio.
    for size in [CGSize(width: 400, height: 300), CGSize(width: 4, height: 3), CGSize(width: 40_000, height: 30_000)] {
      let image = try #require(placeholder.image(size: size))
      #expect(abs(image.size.width / size.width - 1) < 1e-6 && abs(image.size.height / size.height - 1) < 1e-6)
      let bitmap = try #require(image.cgImage)
      #expect(bitmap.width <= 40 && bitmap.height <= 32)
    }
  }

  @Test func `a placeholder image without a size has one pixel per point`() {
    #expect(Placeholder.blurHash(Self.blurHash).image()?.size == CGSize(width: 32, height: 32))
    #expect(Placeholder.blurHash(Self.blurHash, aspectRatio: 1.5).image()?.size == CGSize(width: 30, height: 20))
    #expect(Placeholder.blurHash(Self.blurHash, aspectRatio: 1e9).image()?.size == CGSize(width: 32, height: 1))
    #expect(Placeholder.thumbHash(Self.thumbHash).image()?.size == CGSize(width: 23, height: 32))
    #expect(Placeholder.color(hex: "fff").image()?.size == CGSize(width: 32, height: 32))
    #expect(Placeholder.dataURL(Self.dataURL).image()?.size == CGSize(width: 40, height: 30))
  }

  @Test(arguments: [
    CGSize.zero, CGSize(width: -1, height: 5), CGSize(width: 5, height: CGFloat.nan), CGSize(width: CGFloat.infinity, height: 5),
    CGSize(width: 1e300, height: 1e300), CGSize(width: 1e-300, height: 1e-300)
  ])
  func `a size without an area counts as unknown`(size: CGSize) {
    #expect(Placeholder.thumbHash(Self.thumbHash).image(size: size)?.size == CGSize(width: 23, height: 32))
  }

  @Test func `the size takes precedence over the aspect ratio of a hash`() throws {
    let size = CGSize(width: 160, height: 90)
    let image = try #require(Placeholder.blurHash(Self.blurHash, aspectRatio: 0.5).image(size: size))
    #expect(image.cgImage?.width == 32 && image.cgImage?.height == 18)
    #expect(abs(image.size.width - 160) < 1e-6 && abs(image.size.height - 90) < 1e-6)
  }

  @Test(arguments: [(100, 100, 100, 75), (80, 30, 40, 30)] as [(CGFloat, CGFloat, CGFloat, CGFloat)])
  func `if the image of a data URL is fitted into a size of another aspect ratio, the image keeps its own ratio`(
    width: CGFloat, height: CGFloat, across: CGFloat, down: CGFloat
  ) throws {
    let fitted = try #require(Placeholder.dataURL(Self.dataURL).image(size: CGSize(width: width, height: height))).size
    #expect(abs(fitted.width - across) < 1e-6 && abs(fitted.height - down) < 1e-6)
  }

  // MARK: - Pixels

  @Test func `a color fills the placeholder image`() {
    let color = FutureImage.Color(red: 1, green: 0.5, blue: 0, alpha: 0.2)
    #expect(pixels(Placeholder.color(color).image()) == .plain(32, 32, SIMD4(255, 128, 0, 51)))
  }

  @Test(
    arguments: [
      ("#f80", SIMD4(255, 136, 0, 255)), ("f80", SIMD4(255, 136, 0, 255)), ("#0F83", SIMD4(0, 255, 136, 51)),
      ("#60544D", SIMD4(96, 84, 77, 255)), ("60544d", SIMD4(96, 84, 77, 255)), ("#0a0b0cff", SIMD4(10, 11, 12, 255))
    ] as [(String, SIMD4<UInt8>)])
  func `a color is parsed as in CSS`(text: String, pixel: SIMD4<UInt8>) {
    #expect(pixels(Placeholder.color(hex: text).image()) == .plain(32, 32, pixel))
  }

  @Test(arguments: ["", "#", "#ff", "#fffff", "#fffffff", "#ffffffff0", "##fff", "fff#", "#ggg", "#f f", "red", "#ééé", "＃fff", "#１２３"])
  func `a text that is not a color has no placeholder image`(text: String) {
    #expect(PlaceholderImages { _ in }.image(of: .color(hex: text), size: nil) == nil)
  }

  @Test func `the placeholder image of a hash or a data URL has the decoded pixels`() throws {
    let blurred = try BlurHash(Self.blurHash).pixels(FutureImage.PixelSize(width: 30, height: 20))
    #expect(pixels(Placeholder.blurHash(Self.blurHash).image(size: CGSize(width: 3, height: 2))) == blurred)
    let thumb = try ThumbHash(base64: Self.thumbHash).pixels(FutureImage.PixelSize(width: 23, height: 32))
    #expect(pixels(Placeholder.thumbHash(Self.thumbHash).image()) == thumb)
    #expect(pixels(Placeholder.dataURL(Self.dataURL).image()) == pixels(UIImage(data: Samples.picture)))
  }

  @Test func `an image that the app gives as a placeholder is returned unchanged`() {
    let image = SampleImage.image()
    #expect(Placeholder.image(image).image() === image)
    #expect(Placeholder.image(image).image(size: CGSize(width: 500, height: 500)) === image)
  }

  // MARK: - Sharing

  @Test func `equal placeholders of the same size share one image`() {
    let images = PlaceholderImages()
    let size = CGSize(width: 300, height: 200)
    for placeholder in Self.decoded {
      let first = images.image(of: placeholder, size: size)
      #expect(first != nil && images.image(of: placeholder, size: size) === first)
      #expect(images.image(of: placeholder, size: nil) !== first)
    }
  }

  @Test func `images of different placeholders or of different sizes are never equal`() {
    // All of these images have the same pixels, and some have the same scale.
    let placeholders: [Placeholder] = [
      .color(hex: "#000"), .color(hex: "000"), .color(FutureImage.Color(red: 0, green: 0, blue: 0)), .blurHash("000000"),
      .blurHash("000000", aspectRatio: 1)
    ]
    let sizes = [nil, CGSize(width: 32, height: 32), CGSize(width: 300, height: 300)]
    let images = placeholders.flatMap { placeholder in sizes.compactMap { placeholder.image(size: $0) } }
    #expect(images.count == 15)
    for (index, image) in images.enumerated() {
      for other in images[(index + 1)...] { #expect(!image.isEqual(other)) }
    }
  }

  @Test func `placeholders are equal if they were created with equal arguments`() {
    #expect(Placeholder.blurHash("a") == .blurHash("a") && Placeholder.blurHash("a") != .blurHash("b"))
    #expect(Placeholder.blurHash("a") != .thumbHash("a") && Placeholder.blurHash("a") != .blurHash("a", aspectRatio: 2))
    // An invalid ratio counts as no ratio. Otherwise, a placeholder with the ratio NaN would not equal itself.
    for ratio in [Double.nan, 0, -1] { #expect(Placeholder.blurHash("a", aspectRatio: ratio) == .blurHash("a")) }
    #expect(Placeholder.image(SampleImage.image()) != .named("plain"))
  }

  @Test func `the number of retained images is limited`() {
    final class Weak {
      weak var image: UIImage?
      init(_ image: UIImage?) { self.image = image }
    }
    // Each of the 500 images has a different color. In the first round, the images have 32 × 1 pixels, and the limit is 128 images. In the
    // second round, they have 32 × 32 pixels, which take 4 KB, and the limit is 256 KB.
    for (size, expected) in [(CGSize(width: 320, height: 10), 128), (CGSize(width: 320, height: 320), 64)] {
      let images = PlaceholderImages(pixelByteLimit: 256 << 10)
      let weakImages = (0..<500).map { number in
        Weak(images.image(of: .color(FutureImage.Color(red: Double(number) / 500, green: 0, blue: 0)), size: size))
      }
      #expect(weakImages.count { $0.image != nil } == expected && weakImages.last?.image != nil && weakImages.first?.image == nil)
    }
  }

  @Test func `threads that request the same placeholder at the same time get the same image`() {
    let images = PlaceholderImages()
    let results = Lock<[UIImage?]>([])
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      let image = images.image(of: .thumbHash(Self.thumbHash), size: nil)
      results.withLock { $0.append(image) }
    }
    let all = results.withLock { $0 }
    #expect(all.count == 64 && all.allSatisfy { $0 != nil && $0 === all[0] })
  }

  // MARK: - Placeholders that cannot be decoded

  @Test(arguments: [
    (Placeholder.named("no such asset"), #"asset "no such asset": there is no asset of that name; add it, or correct the name. "#),
    (.color(hex: "#12"), ##"hexadecimal color "#12": it is not 3, 4, 6 or 8 hexadecimal digits; correct the hexadecimal color. "##),
    (.blurHash("00Ey1"), #"BlurHash "00Ey1": it has fewer than 6 characters; correct the BlurHash. "#),
    (.blurHash("one\ntwo"), #"BlurHash "one\ntwo": it has characters other than the 83 of the format; correct the BlurHash. "#),
    (.thumbHash("!"), #"ThumbHash "!": it is not base64; correct the ThumbHash. "#),
    (.thumbHash("AQ=="), #"ThumbHash "AQ==": it has fewer than 5 bytes; correct the ThumbHash. "#),
    (.dataURL("https://user:secret@example.com/1.png"), #"data URL "…": it is not a data URL; check it. "#),
    (.dataURL("data:image/png;base64,iVBORw0KGgo"), #"data URL "data:image/png;base64,iVBORw0KGgo": it ends early"#),
    (.dataURL("data:,"), #"data URL "data:,": its bytes are of no known image format; correct the data URL. "#),
    (.dataURL(""), #"data URL "…": it is not a URL; correct the data URL. "#)
  ])
  func `for each kind of placeholder, only the first that cannot be decoded is reported`(placeholder: Placeholder, beginning: String) {
    let reports = Lock<[String]>([])
    let images = PlaceholderImages { report in reports.withLock { $0.append(report) } }
    #expect(images.image(of: placeholder, size: nil) == nil)
    #expect(images.image(of: placeholder, size: CGSize(width: 3, height: 3)) == nil)
    let all = reports.withLock { $0 }
    #expect(all.count == 1 && all[0].hasPrefix("FutureImage: there is no placeholder image for the " + beginning))
    _ = images.image(of: .blurHash("other"), size: nil)
    _ = images.image(of: .color(hex: "other"), size: nil)
    // One of these two placeholders may be of the kind that was reported before.
    #expect((2...3).contains(reports.withLock { $0.count }))
  }

  @Test func `if the text of a placeholder exceeds its limit, the text is not retained and makes no image`() {
    let images = PlaceholderImages { _ in }
    let long = String(repeating: "A", count: 1 << 20)
    for placeholder in [Placeholder.blurHash(long), .thumbHash(long), .color(hex: long), .dataURL("data:image/png;base64," + long)] {
      #expect(images.image(of: placeholder, size: nil) == nil)
      let retainedText: String? =
        switch placeholder.content {
        case .blurHash(let text, _), .thumbHash(let text), .hexColor(let text), .dataURL(let text): text
        default: nil
        }
      #expect((retainedText?.utf8.count ?? .max) <= (4 << 10) + 1)
    }
  }

  @Test func `a data URL is refused if the header of its image declares too many pixels`() throws {
    func dataURL(width: Int) throws -> String {
      "data:image/png;base64," + (try #require(SampleImage.image(width, 256).pngData())).base64EncodedString()
    }
    let (largest, larger) = (try dataURL(width: 256), try dataURL(width: 257))
    #expect(larger.utf8.count < InlineImage.longestText)
    #expect(try InlineImage.decode(largest).width == 256)
    do {
      _ = try InlineImage.decode(larger)
      Issue.record("the image was decoded")
    } catch let failure as FutureImage.Failure {
      guard case .tooManyPixels = failure.reason else { throw failure }
    }
  }

  @Test func `a data URL has at most 4096 bytes`() throws {
    let (start, end) = ("data:image/png;name=", ";base64,\(Samples.picture.base64EncodedString())")
    func text(_ count: Int) -> String { start + String(repeating: "a", count: count - start.utf8.count - end.utf8.count) + end }
    #expect(try InlineImage.decode(text(4096)).width == 40)
    #expect(throws: FutureImage.Failure(.undecodable("it has more than 4096 bytes"))) { try InlineImage.decode(text(4097)) }
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  /// Returns the reason for which the image of a data URL exceeds a limit; nil if it exceeds none.
  private func excess(_ dataURL: String) throws -> String? {
    do {
      _ = try InlineImage.decode(dataURL)
      return nil
    } catch let failure as FutureImage.Failure {
      guard case .tooManyPixels(let excess) = failure.reason else { throw failure }
      return excess
    }
  }

  @Test func `a data URL is refused if it has too many pixels or is a JPEG whose blocks need too much memory`() throws {
    let wide = try #require(SampleImage.image(257, 256).pngData()).base64EncodedString()
    #expect(try excess("data:image/png;base64," + wide)?.contains("DecodingLimits.maxPixels") == true)
    // The JPEG has 1 × 65,500 pixels, which it codes in units of 32 × 32.
    let frame: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC2, 0, 11, 8, 0xFF, 0xDC, 0, 1, 1, 1, 0x44, 0]
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0x55, 0xFF, 0xD9]
    let narrow = Data(frame + scan).base64EncodedString()
    #expect(try excess("data:image/jpeg;base64," + narrow)?.contains("DecodingLimits.maxBytes") == true)
  }
  #endif

  @Test func `any data URL results in an image or a failure`() {
    var random = SeededGenerator(seed: 11)
    let images = PlaceholderImages { _ in }
    let whole = Array(Samples.picture)
    for round in 0..<300 {
      var bytes = round % 3 == 0 ? random.bytes(Int.random(in: 0..<100, using: &random)) : whole
      if round % 3 == 1 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      if round % 3 == 2 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
      let text = "data:image/png;base64," + Data(bytes).base64EncodedString()
      if let image = images.image(of: .dataURL(text), size: nil) { #expect(image.size.width * image.size.height <= 65_536) }
    }
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension PlaceholderTests {
  @MainActor @Test func `a future with a known size has that size with each kind of placeholder`() throws {
    let fixture = LoaderFixture()
    let size = CGSize(width: 317, height: 211)
    for placeholder in Self.decoded {
      let view = UIImageView(image: fixture.future(placeholder: placeholder.image(size: size), size: size))
      #expect(view.intrinsicContentSize == size)
    }
  }
}
#endif
