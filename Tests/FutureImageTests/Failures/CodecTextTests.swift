#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import Testing

@testable import FutureImage

/// The texts of failures for bytes that this platform's decoders refuse. The codec's message follows the library's own text.
@Suite(.timeLimit(.minutes(5))) struct CodecTextTests {
  /// Returns the text of the failure to read the size of an image. If the size can be read, returns the size.
  private static func size(_ bytes: [UInt8], _ change: (inout FutureImage.DecodingLimits) -> Void = { _ in }) -> String {
    var limits = FutureImage.DecodingLimits()
    change(&limits)
    do {
      return "\(try makePlatformDecoder(limits).size(of: Data(bytes)))"
    } catch {
      return "\(error)"
    }
  }

  private static var brokenPNG: [UInt8] {
    var bytes = Array(Samples.picture)
    // The last byte of the first chunk's checksum.
    bytes[32] ^= 1
    return bytes
  }

  /// A JPEG whose frame header declares 0 × 0 pixels.
  private static let emptyJPEG: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0] + [UInt8](repeating: 0, count: 16)
  private static let losslessJPEG: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xC3, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0] + [UInt8](repeating: 0, count: 16)
  private static let emptyGIF: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]
  private static let tiff: [UInt8] = [0x49, 0x49, 0x2A, 0x00, 8, 0, 0, 0]

  static let rows = [
    TextRow(
      "no image", size(Array("<!DOCTYPE html>".utf8)),
      "The image cannot be decoded: its bytes are of no known image format. Check what its source delivers."),
    TextRow(
      "no bytes", size([]), "The image cannot be decoded: its bytes are of no known image format. Check what its source delivers."),
    TextRow(
      "the beginning of a PNG", size(Array(Samples.picture.prefix(20))),
      "The image cannot be decoded: it ends early. Check what its source delivers."),
    TextRow(
      "a PNG with a wrong checksum", size(brokenPNG),
      "The image cannot be decoded: the PNG data is broken (libpng: IHDR: CRC error). Check what its source delivers."),
    TextRow(
      "a JPEG without pixels", size(emptyJPEG),
      "The image cannot be decoded: the JPEG data is broken (libjpeg: Empty JPEG image (DNL not supported)). Check what its source "
        + "delivers."),
    TextRow(
      "a GIF without a frame", size(emptyGIF),
      "The image cannot be decoded: the GIF has no frame. Check what its source delivers."),
    TextRow(
      "a lossless JPEG", size(losslessJPEG),
      "The image is in a format that is not supported here: a lossless JPEG (SOF3). Deliver it in another format, or add "
        + "a decoder for it."),
    TextRow(
      "a TIFF", size(tiff),
      "The image is in a format that is not supported here: TIFF. Deliver it in another format, or add a decoder for it."),
    TextRow(
      "more pixels than allowed", size(Array(Samples.picture)) { $0.maxPixels = 10 },
      "The image is too large to decode: 40 × 30 pixels; raise DecodingLimits.maxPixels if each side has at most 65535.")
  ]

  @Test(arguments: rows) func `bytes that cannot be decoded fail with the expected text`(row: TextRow) { #expect(row.faults == []) }

  @Test func `a decode with more pixels than the limit allows fails with the expected text`() {
    var limits = FutureImage.DecodingLimits()
    limits.maxBytes = 10
    let expected = "The image is too large to decode: 40 × 30 pixels at once; request fewer, or raise DecodingLimits.maxBytes."
    do {
      _ = try makePlatformDecoder(limits).decode(Samples.picture, size: FutureImage.PixelSize(width: 40, height: 30))
      Issue.record("the bytes were decoded")
    } catch {
      #expect("\(error)" == expected)
    }
  }
}
#endif
