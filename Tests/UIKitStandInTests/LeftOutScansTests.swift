import Foundation
import Testing
import UIKitStandIn

/// Where a block becomes one pixel, libjpeg does not get the scans that say more of it than its mean.
@Suite("Scans that are left out", .timeLimit(.minutes(5)))
struct LeftOutScansTests {
  private static let photo = "../../Demo/Sources/Storefront/Photos/06-sailboat-at-anchor.jpg"
  private static let eighth = PixelSize(width: 13, height: 9)

  /// Without its end all of a file is read.
  @Test(
    "of a file of several scans an eighth is what all of them make of it",
    arguments: ["jpeg/progressive.jpg", "jpeg/gray-progressive.jpg", "jpeg/separate-scans.jpg", photo], [8, 10, 64])
  func samePixels(path: String, divisor: Int) throws {
    let data = try Fixture.data(path)
    #expect(data.suffix(2) == Data([0xFF, 0xD9]))
    let whole = try ImageCodecs.info(of: data).size
    let size = PixelSize(width: (whole.width + divisor - 1) / divisor, height: (whole.height + divisor - 1) / divisor)
    let picture = try ImageCodecs.decode(data, size: size)
    #expect(picture.hasSamePixels(as: try ImageCodecs.decode(data.dropLast(2), size: size)))
  }

  @Test("of luma only the means are read for an eighth, and all of it above that", arguments: ["progressive", "gray-progressive"])
  func lumaUnread(name: String) throws {
    let sound = try Fixture.data("jpeg/\(name).jpg")
    // A table of codes that there is not.
    let spoilt = try spoilt(sound, component: 1, at: 6, with: 0x0F)
    #expect(try ImageCodecs.decode(spoilt, size: Self.eighth).hasSamePixels(as: ImageCodecs.decode(sound, size: Self.eighth)))
    #expect(throws: CodecError.self) { try ImageCodecs.decode(spoilt, size: PixelSize(width: 25, height: 17)) }
  }

  /// It is stored at half the size, so of an eighth it has two pixels a block.
  @Test("chroma that was halved is read whole for an eighth")
  func chromaRead() throws {
    let spoilt = try spoilt(Fixture.data("jpeg/progressive.jpg"), component: 2, at: 6, with: 0x0F)
    #expect(throws: CodecError.self) { try ImageCodecs.decode(spoilt, size: Self.eighth) }
  }

  @Test("a scan of coefficients that there are not is refused, read or not")
  func refused() throws {
    let spoilt = try spoilt(Fixture.data("jpeg/progressive.jpg"), component: 1, at: 8, with: 64)
    #expect(throws: CodecError.self) { try ImageCodecs.decode(spoilt, size: Self.eighth) }
  }

  @Test("a file that ends within such a scan is truncated all the same")
  func truncated() throws {
    let data = try Fixture.data("jpeg/progressive.jpg")
    let last = try #require(headers(data, component: 1).last)
    #expect(throws: CodecError.self) { try ImageCodecs.decode(data[..<(last + 40)], size: Self.eighth) }
  }

  /// Another byte in each header of a scan of a component's higher coefficients.
  private func spoilt(_ data: Data, component: UInt8, at offset: Int, with byte: UInt8) throws -> Data {
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
