import Foundation
import Testing
import UIKitStandIn

/// Images of every size up to 33 × 33 pixels and of every kind. The smallest of these images are smaller than one block.
@Suite(.timeLimit(.minutes(5))) struct SmallJPEGTests {
  private func expect(
    _ sides: some Sequence<Int>, _ kind: JPEGReference.Kind, progressive: Bool, _ fault: (Data, PixelSize, CGImage) throws -> String?
  ) throws {
    var faults: [String] = []
    for width in sides {
      for height in sides {
        let file = try #require(JPEGReference.file(width, height, kind, progressive: progressive))
        let whole = try #require(JPEGReference.pixels(of: file, width: width, height: height))
        do {
          guard let fault = try fault(file, PixelSize(width: width, height: height), whole) else { continue }
          faults.append("\(width) × \(height): \(fault)")
        } catch {
          faults.append("\(width) × \(height): \(error)")
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(8))")
  }

  private func likeness(_ file: Data, _ size: PixelSize, _ whole: CGImage, levels most: Int) throws -> String? {
    for divisor in [2, 3, 8, 40] {
      let target = PixelSize(width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
      let image = try ImageCodecs.decode(file, size: target)
      let expected = try #require(whole.reduced(to: target))
      guard let levels = image.largestDifference(from: expected), levels <= most else {
        return "reduced to \(target.width) × \(target.height): a difference of \(image.largestDifference(from: expected) ?? 256) levels"
      }
    }
    return nil
  }

  @Test(arguments: JPEGReference.kinds, [false, true])
  func `an image of any small size has the pixels that libjpeg produces`(kind: JPEGReference.Kind, progressive: Bool) throws {
    try expect(1...33, kind, progressive: progressive) { file, _, whole in
      let image = try ImageCodecs.decode(file)
      return image.hasSamePixels(as: whole) ? nil : "a difference of \(image.largestDifference(from: whole) ?? 256) levels"
    }
  }

  @Test(arguments: JPEGReference.kinds, [false, true])
  func `reducing an image of any small size matches the result of a filter over all its pixels`(kind: JPEGReference.Kind, progressive: Bool)
    throws
  {
    try expect(1...33, kind, progressive: progressive) { try likeness($0, $1, $2, levels: 1) }
  }

  /// The permitted differences have two reasons. First, libjpeg reduces the image if each side has at least 64 pixels. At this size, the
  /// image's gradient changes by three levels for each pixel. Second, at an eighth of the size, the last block of a progressive image
  /// becomes one pixel, and up to seven eighths of this block may be padding from the encoder.
  @Test(arguments: JPEGReference.kinds, [false, true])
  func `reducing an image of a few blocks comes close to the result of a filter over all its pixels`(
    kind: JPEGReference.Kind, progressive: Bool
  ) throws {
    let levels = progressive ? 48 : 16
    try expect([60, 63, 64, 65, 66, 71, 72, 73, 97], kind, progressive: progressive) { try likeness($0, $1, $2, levels: levels) }
  }

  /// At an eighth of the size, one side of these images would be shorter than one pixel.
  @Test(arguments: [(4000, 3), (3, 4000), (2, 3000), (1, 5000), (5000, 1), (4000, 7), (65_000, 2)], [160, 20, 1])
  func `an image that is a few pixels wide or high can be reduced to less than an eighth of its size`(
    side: (width: Int, height: Int), longest: Int
  ) throws {
    let file = try #require(JPEGReference.file(side.width, side.height, .JPEG_REFERENCE_420))
    let whole = try #require(JPEGReference.pixels(of: file, width: side.width, height: side.height))
    let longer = max(side.width, side.height)
    let target = PixelSize(width: max(1, side.width * longest / longer), height: max(1, side.height * longest / longer))
    let image = try ImageCodecs.decode(file, size: target)
    let expected = try #require(whole.reduced(to: target))
    let levels = try #require(image.largestDifference(from: expected))
    #expect(levels <= 8)
  }
}
