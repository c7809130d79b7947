#if canImport(zlib)
import zlib
#else
import CContentCoding
#endif

/// The CRC-32 of zlib, PNG, and Ethernet. It detects every flipped bit and every burst of up to 32 bits, and fails to detect other damage
/// once in four billion times.
struct CRC32: Sendable {
  private(set) var value: UInt32 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      // zlib counts the bytes with 32 bits.
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      value = UInt32(truncatingIfNeeded: crc32(UInt(value), part.bindMemory(to: UInt8.self).baseAddress, UInt32(part.count)))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
    }
  }
}
