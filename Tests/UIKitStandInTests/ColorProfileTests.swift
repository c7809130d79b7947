import Foundation
import Testing
import UIKitStandIn

/// Colors in images with profiles, compared with Pillow's ImageCms (little CMS, perceptual intent).
@Suite("Color profiles", .timeLimit(.minutes(5)))
struct ColorProfileTests {
  static let spaces = ["p3", "adobe", "prophoto", "linear", "generic", "table"]

  /// A file, and the file with the colors that ImageCms computes for it.
  struct Sample: CustomTestStringConvertible, Sendable {
    let file: String
    let reference: String
    var testDescription: String { file }

    /// Creates a sample. By default, the reference of a JPEG was computed from the JPEG, and the reference of any other file was computed
    /// from the PNG, because the fixtures in the other formats have no loss or, in AVIF and HEIC, nearly no loss.
    init(_ file: String, reference: String? = nil) {
      let isJPEG = file.hasSuffix("jpg")
      let name = file.prefix { $0 != "." && $0 != "-" }
      (self.file, self.reference) = (file, reference ?? "\(name).\(isJPEG ? "jpg" : "png")-in-srgb.png")
    }

    /// Whether the libraries that the sample needs are installed.
    var isReadable: Bool {
      (!file.hasSuffix("avif") || AVIFDecodingTests.isInstalled) && (!file.hasSuffix("heic") || HEICDecodingTests.isInstalled)
        && (ColorFile.hasLittleCMS || !(file.hasPrefix("table") || file.hasPrefix("cmyk")))
    }
  }

  static let samples =
    (spaces.flatMap { space in ["png", "jpg", "webp", "avif"].map { Sample("\(space).\($0)") } }
    + ["gray.png", "gray.jpg", "gray.avif", "cmyk.jpg", "p3-alpha.png", "p3-alpha.webp", "p3-numbers.avif", "adobe-and-numbers.avif"].map {
      Sample($0)
    }
    + ["p3.heic", "prophoto.heic", "table.heic", "p3-numbers.heic", "adobe-and-numbers.heic"].map { Sample($0) }
    + ["avif", "heic"].map { Sample("bt2020-numbers.\($0)", reference: "bt2020-numbers.avif-in-srgb.png") }
    + [Sample("bt709-numbers.avif", reference: "plain.png")])
    .filter(\.isReadable)

  @Test(arguments: samples)
  func `the colors of a profile are converted to sRGB`(sample: Sample) throws {
    let (image, reference) = try (ColorFile.image(sample.file), ColorFile.image(sample.reference))
    let difference = image.meanColorDifference(from: reference)
    let hasLoss = sample.file.hasSuffix("avif") || sample.file.hasSuffix("heic")
    #expect(difference <= (hasLoss ? 1 : 0.25), "\(difference)")
    #expect(try ColorFile.ignoredProfile(of: ColorFile.data(sample.file)) == nil)
    #expect(sample.file.contains("alpha") || image.bytes.enumerated().allSatisfy { $0.offset % 4 != 3 || $0.element == 255 })
  }

  /// A reduced image may differ more from the reference than a whole image, because colors that sRGB does not have become other colors if
  /// they are averaged before they are converted. A WebP may differ most, because libwebp reduces images by a different filter.
  @Test(arguments: samples.filter { !$0.file.contains("alpha") })
  func `a reduced image has the colors of the whole image`(sample: Sample) throws {
    for size in [PixelSize(width: 40, height: 30), PixelSize(width: 16, height: 12)] {
      let (image, reference) = try (ColorFile.image(sample.file, size: size), ColorFile.image(sample.reference, size: size))
      // The image must be opaque, because the colors of transparent pixels would count as much as those of opaque pixels.
      #expect(image.bytes.enumerated().allSatisfy { $0.offset % 4 != 3 || $0.element == 255 })
      let difference = image.meanColorDifference(from: reference)
      #expect(difference <= (sample.file.hasSuffix("webp") ? 2.5 : 1.5), "\(difference) at \(size.width) × \(size.height)")
    }
  }

  @Test(arguments: ["png", "webp"])
  func `alpha stays as stored, and the colors of translucent pixels are converted`(ending: String) throws {
    let image = try ColorFile.image("p3-alpha.\(ending)")
    for x in 0..<64 { #expect(Int(image.pixel(x, 9).w) == 255 * x / 63) }
    let small = try ColorFile.image("p3-alpha.\(ending)", size: PixelSize(width: 32, height: 24))
    let reference = try ColorFile.image("p3.png-in-srgb.png", size: PixelSize(width: 32, height: 24))
    for x in 16..<32 { #expect((0..<3).allSatisfy { abs(Int(small.pixel(x, 4)[$0]) - Int(reference.pixel(x, 4)[$0])) <= 12 }) }
  }

  @Test(arguments: ["srgb", "srgb-table"], ["png", "jpg", "webp"])
  func `with a profile of sRGB, an image has the same pixels as without a profile`(name: String, ending: String) throws {
    for size in [nil, PixelSize(width: 20, height: 15)] {
      let image = try ColorFile.image("\(name).\(ending)", size: size)
      #expect(try image.hasSamePixels(as: ColorFile.image("plain.\(ending)", size: size)))
    }
  }

  @Test func `the colors of an animation's frames are converted`() throws {
    let animation = try #require(try ImageCodecs.animation(of: ColorFile.data("p3-frames.webp")))
    #expect(try animation.frames[1].image.meanColorDifference(from: ColorFile.image("p3-frames.webp-in-srgb.png")) <= 0.25)
    #expect(try animation.frames[0].image.hasSamePixels(as: ColorFile.image("p3-frames.webp")))
  }

  @Test func `turning an image by its orientation does not change its converted colors`() throws {
    let data = try ColorFile.data("p3.jpg")
    let header = Array("Exif\0\0MM\0*\0\0\0\u{8}\0\u{1}".utf8)
    let exif: [UInt8] = [0xFF, 0xE1, 0, 34] + header + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let turned = try ImageCodecs.decode(data.prefix(2) + exif + data.dropFirst(2))
    let upright = try ImageCodecs.decode(data)
    #expect(turned.width == 48 && turned.height == 64)
    for (x, y) in [(0, 0), (63, 0), (20, 30), (63, 47)] { #expect(turned.pixel(47 - y, x) == upright.pixel(x, y)) }
  }

  @Test func `the rows of an incomplete image have converted colors, and the missing rows are transparent`() throws {
    let data = try ColorFile.data("linear.png")
    let whole = try ImageCodecs.decode(data)
    let beginning = try #require(try ImageCodecs.decode(beginning: data.dropLast(300)))
    let rows = (0..<48).filter { beginning.pixel(0, $0).w == 255 }
    #expect(rows.count > 4 && rows.count < 48)
    for y in 0..<48 { #expect(beginning.pixel(63, y) == (rows.contains(y) ? whole.pixel(63, y) : Pixel(0, 0, 0, 0))) }
  }

  /// For an image of at least 131,072 pixels, little CMS first prepares a table of all colors.
  @Test(.enabled(if: ColorFile.hasLittleCMS))
  func `if a profile has tables, large and small images get the same colors`() throws {
    let large = try #require(CGImage.drawn(512, 300) { x, y in Pixel(UInt8(x / 2), UInt8(y * 255 / 299), UInt8((x + y) % 256), 255) })
    let data = try #require(ImageCodecs.png(large))
    let chunk = try ColorFile.chunk("iCCP", ColorFile.compressed(ColorFile.profile("table")))
    let whole = try ImageCodecs.decode(data.prefix(33) + chunk + data.dropFirst(33))
    #expect(!whole.hasSamePixels(as: large))
    let cropped = try #require(CGImage.drawn(256, 300) { large.pixel($0, $1) })
    let part = try #require(ImageCodecs.png(cropped))
    let decodedHalf = try ImageCodecs.decode(part.prefix(33) + chunk + part.dropFirst(33))
    let halfOfWhole = try #require(CGImage.drawn(256, 300) { whole.pixel($0, $1) })
    #expect(decodedHalf.meanColorDifference(from: halfOfWhole) < 0.25)
  }
}
