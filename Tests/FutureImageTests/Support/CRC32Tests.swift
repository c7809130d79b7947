import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct CRC32Tests {
  @Test(arguments: [
    ("", 0 as UInt32), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
    ("The quick brown fox jumps over the lazy dog", 0x414F_A339)
  ])
  func `known messages have the published checksums`(message: String, checksum: UInt32) {
    #expect(CRC32.checksum(of: Data(message.utf8)) == checksum)
  }

  @Test func `the checksum matches the bitwise definition at every length and alignment`() {
    var random = SeededGenerator(seed: 1)
    let bytes = Data(random.bytes(80))
    for start in 0..<8 {
      for end in start...80 {
        #expect(CRC32.checksum(of: bytes[start..<end]) == byDefinition(bytes[start..<end]))
      }
    }
  }

  @Test func `bytes that are added in two parts have the same checksum as all bytes together`() {
    var random = SeededGenerator(seed: 2)
    let bytes = Data(random.bytes(100))
    for cut in 0...100 {
      var checksum = CRC32()
      bytes[..<cut].withUnsafeBytes { checksum.update($0) }
      bytes[cut...].withUnsafeBytes { checksum.update($0) }
      #expect(checksum.value == CRC32.checksum(of: bytes))
    }
  }

  private func byDefinition(_ bytes: Data) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
