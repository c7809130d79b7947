import CJPEGReference
import Foundation
import UIKitStandIn

/// Files that libjpeg encodes, and their pixels, which libjpeg decodes at full size, row by row.
enum JPEGReference {
  typealias Kind = jpeg_reference_kind

  static let kinds: [Kind] = [
    .JPEG_REFERENCE_444, .JPEG_REFERENCE_422, .JPEG_REFERENCE_420, .JPEG_REFERENCE_440, .JPEG_REFERENCE_411, .JPEG_REFERENCE_GRAY,
    .JPEG_REFERENCE_CMYK
  ]

  static func file(
    _ width: Int, _ height: Int, _ kind: Kind, progressive: Bool = false, quality: Int = 95, noise: Int = 0
  ) -> Data? {
    var picture = jpeg_reference_picture(
      width: UInt32(width), height: UInt32(height), kind: kind, progressive: progressive, quality: Int32(quality), noise: UInt32(noise))
    var count = 0
    return jpeg_reference_encode(&picture, &count).map { Data(bytesNoCopy: $0, count: count, deallocator: .free) }
  }

  /// Decodes a file at its full size, which the caller passes.
  static func pixels(of file: Data, width: Int, height: Int) -> CGImage? {
    var rgba = [UInt8](repeating: 0, count: width * height * 4)
    file.withUnsafeBytes { jpeg_reference_decode($0.bindMemory(to: UInt8.self).baseAddress, $0.count, &rgba) }
    return CGImage(width: width, height: height, rgba: rgba)
  }
}
