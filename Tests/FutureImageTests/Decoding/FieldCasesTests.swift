#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

/// Small files that are unusual or damaged. The expected pixels are the results of other decoders.
/// `Tests/Fixtures/README.md` names the origin of each file.
@Suite(.timeLimit(.minutes(5))) struct FieldCasesTests {
  private let decoder = LinuxDecoder()

  private func decode(_ name: String, side: Int? = nil) throws -> (image: CGImage, missing: Double) {
    let data = try EndOfDataTests.fixture(name)
    let size = try side.map { FutureImage.PixelSize(width: $0, height: $0) } ?? decoder.size(of: data)
    var missing = 0.0
    let image = try decoder.decode(data, size: size) { if case .missingPixels(let share) = $0 { missing = share } }
    return (image, missing)
  }

  @Test(arguments: [
    ("cases/cmyk.jpg", "cases/cmyk-with-marker.jpg"), ("cases/trailer-2000.jpg", "cases/whole.jpg"),
    ("cases/trailer-20000.jpg", "cases/whole.jpg"), ("cases/no-iend.png", "png/whole.png"), ("cases/bad-crc.png", "png/whole.png")
  ])
  func `a file with a harmless defect has the same pixels as the file without the defect`(name: String, sibling: String) throws {
    let (image, missing) = try decode(name)
    #expect(try missing == 0 && image.hasSamePixels(as: decode(sibling).image))
  }

  @Test func `a CMYK JPEG shows red, green, blue, and white`() throws {
    let image = try decode("cases/cmyk.jpg").image
    let colors: [[UInt8]] = [8, 24, 40, 56].map { x in image.withRGBA { Array($0[(8 * 64 + x) * 4..<(8 * 64 + x) * 4 + 3]) } }
    #expect(colors == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]])
  }

  @Test func `a GIF that clears its code table before each pixel is decoded with all its pixels`() throws {
    let (image, missing) = try decode("cases/clear-codes.gif")
    #expect(missing == 0 && image.width == 200 && image.height == 200)
    // The color of index i is 3i, 3i + 1, 3i + 2. The pixels repeat the indices 0, 1, 2, 3, 4, 5, 6, 0.
    let areRight = image.withRGBA { bytes in
      (0..<200 * 200).allSatisfy { pixel in (0..<3).allSatisfy { Int(bytes[pixel * 4 + $0]) == 3 * (pixel % 8 % 7) + $0 } }
    }
    #expect(areRight)
  }

  @Test func `the decoder reports missing pixels for a GIF with a code that is not in the GIF's code table`() throws {
    #expect(try decode("cases/undefined-code.gif").missing > 0)
  }

  @Test(.enabled(if: ImageCodecs.formats.contains(.avif)))
  func `an AVIF with 992 tiles is refused, because the decoders of its tiles need too much memory`() throws {
    #expect { try decode("cases/grid992.avif", side: 160) } throws: { ($0 as? FutureImage.Failure)?.reason.isTooManyPixels == true }
  }

  @Test func `an interlaced PNG of 64 megapixels is decoded at a small size`() throws {
    let image = try decode("cases/interlaced-8000.png", side: 160).image
    #expect(image.width == 160 && image.withRGBA { $0.allSatisfy { $0 == 0 } })
  }
}
#endif
