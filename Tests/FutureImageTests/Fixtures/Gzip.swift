import Foundation

@testable import FutureImage

enum Gzip {
  /// Returns a gzip stream that contains the content in stored blocks, without compression.
  static func stored(_ content: Data) -> Data {
    var bytes = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    var rest = content[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let size = UInt16(block.count)
      bytes += [rest.isEmpty ? 1 : 0, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)] + block
    } while !rest.isEmpty
    for word in [CRC32.checksum(of: content), UInt32(truncatingIfNeeded: content.count)] {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return bytes
  }
}
