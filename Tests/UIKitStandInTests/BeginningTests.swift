import Foundation
import Testing
import UIKitStandIn

/// Images of which only the first bytes have arrived.
@Suite("Incomplete images", .timeLimit(.minutes(5)))
struct BeginningTests {
  /// Images whose rows are stored in order. From a part of such an image, the decoder can decode any size and any orientation.
  private static let inRows = [
    "beginnings/sequential.jpg", "jpeg/restarts.jpg", "jpeg/gray.jpg", "jpeg/cmyk-adobe.jpg", "beginnings/plain.png",
    "pngsuite/ps2n2c16.png", "beginnings/plain.gif", "beginnings/lossy.webp", "beginnings/lossless.webp"
  ]

  private func cuts(_ data: Data) -> [Int] { Array(stride(from: 0, to: data.count, by: max(1, data.count / 50))) }

  /// Returns the number of rows that have arrived. Returns nil if a row is neither final nor transparent, or if a final row follows a
  /// missing row.
  private func rows(of part: CGImage, like whole: CGImage) -> Int? {
    guard part.width == whole.width, part.height == whole.height else { return nil }
    let stride = whole.width * 4
    let (bytes, expected) = (part.bytes, whole.bytes)
    var count = 0
    for y in 0..<whole.height {
      let row = bytes[y * stride..<(y + 1) * stride]
      if row.elementsEqual(expected[y * stride..<(y + 1) * stride]), count == y {
        count += 1
      } else if !row.allSatisfy({ $0 == 0 }) {
        return nil
      }
    }
    return count
  }

  @Test(arguments: inRows, [1.0, 0.55])
  func `rows that have arrived are final, and the other rows are transparent`(path: String, scale: Double) throws {
    let data = try Fixture.data(path)
    let own = try ImageCodecs.info(of: data).size
    let size = PixelSize(width: Int(Double(own.width) * scale), height: Int(Double(own.height) * scale))
    let whole = try ImageCodecs.decode(data, size: size)
    var counts: [Int] = []
    for cut in cuts(data) {
      guard let info = try? ImageCodecs.info(of: data.prefix(cut)) else { continue }
      #expect(info.size == own)
      guard let part = try ImageCodecs.decode(beginning: data.prefix(cut), size: size) else {
        #expect(counts.isEmpty, "no image after \(cut) bytes, although fewer bytes gave an image")
        continue
      }
      counts.append(try #require(rows(of: part, like: whole), "after \(cut) of \(data.count) bytes"))
    }
    #expect(counts == counts.sorted())
    #expect(Set(counts).count > (scale < 1 ? 1 : 2), "\(counts)")
    #expect(try #require(try ImageCodecs.decode(beginning: data, size: size)).hasSamePixels(as: whole))
  }

  @Test func `an incomplete rotated image shows the side that contains its first stored rows`() throws {
    let data = try Fixture.data("exif/Landscape_6.jpg")
    let whole = try ImageCodecs.decode(data)
    let part = try #require(try ImageCodecs.decode(beginning: data.prefix(data.count * 3 / 4)))
    let arrivedColumns = (0..<whole.width).filter { part.pixel($0, 0).w == 255 }
    #expect(arrivedColumns.last == whole.width - 1 && arrivedColumns.count > 8 && arrivedColumns.count < whole.width)
    #expect(arrivedColumns.allSatisfy { x in (0..<whole.height).allSatisfy { part.pixel(x, $0) == whole.pixel(x, $0) } })
  }

  @Test(
    arguments: ["beginnings/progressive", "jpeg/progressive", "jpeg/gray-progressive", "jpeg/separate-scans"],
    [nil, PixelSize(width: 30, height: 20)])
  func `an incomplete JPEG shows every row of its complete scans`(name: String, size: PixelSize?) throws {
    let data = try Fixture.data("\(name).jpg")
    let starts = data.indices.dropLast().filter { data[$0] == 0xFF && data[$0 + 1] == 0xDA }
    try #require(starts.count > 2)
    for (number, start) in starts.enumerated().dropFirst() {
      // The marker behind a scan shows that the scan is complete.
      let part = try #require(try ImageCodecs.decode(beginning: data.prefix(start + 2), size: size))
      // A complete file that has only the scans before this position.
      let ended = try ImageCodecs.decode(data.prefix(start) + [0xFF, 0xD9], size: size)
      #expect(part.hasSamePixels(as: ended), "scan \(number)")
      #expect(part.bytes.enumerated().allSatisfy { $0.offset % 4 != 3 || $0.element == 255 })
    }
  }

  @Test func `a partial first scan shows the rows that have arrived, and a partial later scan shows all rows`() throws {
    let data = try Fixture.data("beginnings/progressive.jpg")
    let starts = data.indices.dropLast().filter { data[$0] == 0xFF && data[$0 + 1] == 0xDA }
    let first = try #require(try ImageCodecs.decode(beginning: data.prefix((starts[0] + starts[1]) / 2)))
    let opaque = (0..<first.height).filter { first.pixel(0, $0).w == 255 }
    #expect(!opaque.isEmpty && opaque.count < first.height && opaque == Array(0..<opaque.count))
    let second = try #require(try ImageCodecs.decode(beginning: data.prefix((starts[1] + starts[2]) / 2)))
    #expect((0..<second.height).allSatisfy { second.pixel(0, $0).w == 255 })
  }

  @Test(
    arguments: ["pngsuite/basi2c08.png", "pngsuite/basi0g08.png", "beginnings/interlaced.gif"], [1, 2])
  func `an interlaced image becomes more exact with each part that arrives`(path: String, divisor: Int) throws {
    let data = try Fixture.data(path)
    let own = try ImageCodecs.info(of: data).size
    let size = PixelSize(width: own.width / divisor, height: own.height / divisor)
    let whole = try ImageCodecs.decode(data, size: size)
    var differences: [Double] = []
    for cut in cuts(data) {
      guard let part = try? ImageCodecs.decode(beginning: data.prefix(cut), size: size) else { continue }
      #expect(divisor > 1 || part.pixel(0, 0) == whole.pixel(0, 0))
      // Compare only parts that have pixels for every row.
      guard part.pixel(0, size.height - 1).w == 255 else { continue }
      differences.append(try #require(part.meanDifference(from: whole)))
    }
    #expect(Set(differences).count > 2)
    #expect(differences == differences.sorted(by: >))
    #expect(try #require(try ImageCodecs.decode(beginning: data, size: size)).hasSamePixels(as: whole))
  }

  @Test func `an incomplete animation decodes to its first frame`() throws {
    let data = try Fixture.data("webp/animated.webp")
    let whole = try ImageCodecs.decode(data)
    // The first frame begins at byte 44, with a header.
    let parts = try cuts(data).compactMap { cut in cut > 60 ? try ImageCodecs.decode(beginning: data.prefix(cut)) : nil }
    #expect(!parts.isEmpty)
    #expect(parts.allSatisfy { $0.hasSamePixels(as: whole) })
  }

  @Test func `a WebP whose orientation is at the end of the file is not shown before the orientation arrives`() throws {
    let data = try Fixture.data("webp/exif-6.webp")
    #expect(try ImageCodecs.decode(beginning: data.dropLast(10)) == nil)
    #expect(try ImageCodecs.decode(beginning: data)?.hasSamePixels(as: ImageCodecs.decode(data)) == true)
  }

  @Test(arguments: ["jpeg/arithmetic.jpg", "avif/color.avif", "heic/color.heic"])
  func `an incomplete file of a format that needs all bytes gives no image`(path: String) throws {
    let data = try Fixture.data(path)
    for cut in cuts(data) where cut >= 32 { #expect((try? ImageCodecs.decode(beginning: data.prefix(cut))) == nil) }
  }

  @Test func `no incomplete image crashes a decoder`() throws {
    for (folder, ending) in [("jpeg", "jpg"), ("exif", "jpg"), ("pngsuite", "png"), ("gif", "gif"), ("webp", "webp")] {
      for name in Fixture.names(in: folder, extension: ending) {
        let data = try Fixture.data("\(folder)/\(name)")
        for cut in stride(from: 1, to: data.count, by: max(7, data.count / 15)) {
          for size in [nil, PixelSize(width: 5, height: 9)] { _ = try? ImageCodecs.decode(beginning: data.prefix(cut), size: size) }
        }
      }
    }
  }
}
