import Foundation
import Testing
import UIKitStandIn

/// Scans that the decoder omits. If each block becomes one pixel, the decoder needs only the means of the blocks, so it does not pass the
/// scans of higher coefficients to libjpeg.
@Suite("Omitted scans", .timeLimit(.minutes(5)))
struct LeftOutScansTests {
  private static let photo = "../../Demo/Sources/Storefront/Photos/06-sailboat-at-anchor.jpg"
  private static let eighth = PixelSize(width: 13, height: 9)

  /// Compares with a file without its end marker, because the decoder omits no scan of such a file.
  @Test(
    arguments: ["jpeg/progressive.jpg", "jpeg/gray-progressive.jpg", "jpeg/separate-scans.jpg", photo], [8, 10, 64])
  func `a decode at an eighth of the size or less has the same pixels with and without omitted scans`(path: String, divisor: Int) throws {
    let data = try Fixture.data(path)
    #expect(data.suffix(2) == Data([0xFF, 0xD9]))
    let whole = try ImageCodecs.info(of: data).size
    let size = PixelSize(width: (whole.width + divisor - 1) / divisor, height: (whole.height + divisor - 1) / divisor)
    let picture = try ImageCodecs.decode(data, size: size)
    #expect(picture.hasSamePixels(as: try ImageCodecs.decode(data.dropLast(2), size: size)))
  }

  @Test(arguments: ["progressive", "gray-progressive"])
  func `at an eighth of the size, a decode reads only the means of luma, and a larger decode reads more`(name: String) throws {
    let intact = try Fixture.data("jpeg/\(name).jpg")
    // In the damaged file, the scans of higher coefficients refer to a table of codes that does not exist.
    let damaged = try damaged(intact, component: 1, at: 6, with: 0x0F)
    #expect(try ImageCodecs.decode(damaged, size: Self.eighth).hasSamePixels(as: ImageCodecs.decode(intact, size: Self.eighth)))
    #expect(throws: CodecError.self) { try ImageCodecs.decode(damaged, size: PixelSize(width: 25, height: 17)) }
  }

  /// The file stores chroma at half the size. So at an eighth of the image's size, each chroma block becomes two pixels wide and high.
  @Test func `if chroma is stored at half the size, a decode at an eighth of the size reads all scans of the chroma`() throws {
    let damaged = try damaged(Fixture.data("jpeg/progressive.jpg"), component: 2, at: 6, with: 0x0F)
    #expect(throws: CodecError.self) { try ImageCodecs.decode(damaged, size: Self.eighth) }
  }

  @Test func `a scan of coefficients that do not exist is refused, even if the decoder does not read it`() throws {
    let damaged = try damaged(Fixture.data("jpeg/progressive.jpg"), component: 1, at: 8, with: 64)
    #expect(throws: CodecError.self) { try ImageCodecs.decode(damaged, size: Self.eighth) }
  }

  @Test func `a file that ends within an omitted scan is refused`() throws {
    let data = try Fixture.data("jpeg/progressive.jpg")
    let last = try #require(headers(data, component: 1).last)
    #expect(throws: CodecError.self) { try ImageCodecs.decode(data[..<(last + 40)], size: Self.eighth) }
  }

  /// Returns the data with another byte at the offset in the header of each scan that has higher coefficients of the component.
  private func damaged(_ data: Data, component: UInt8, at offset: Int, with byte: UInt8) throws -> Data {
    var data = data
    let starts = headers(data, component: component)
    try #require(!starts.isEmpty)
    for start in starts { data[start + offset] = byte }
    return data
  }

  private func headers(_ data: Data, component: UInt8) -> [Int] {
    data.indices.dropLast(10).filter { data[$0..<$0 + 6] == Data([0xFF, 0xDA, 0, 8, 1, component]) && data[$0 + 7] > 0 }
  }
}
