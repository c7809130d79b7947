import Foundation

@testable import FutureImage

extension CRC32 {
  static func checksum(of data: Data) -> UInt32 {
    var checksum = CRC32()
    data.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }
}
