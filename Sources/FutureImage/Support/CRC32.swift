/// The CRC-32 of zlib, PNG, and Ethernet (polynomial 0x04C11DB7, reflected), eight bytes per step.
///
/// It detects every flipped bit and every burst of up to 32 bits. It fails to detect other damage once in four billion times. The method is
/// "slicing by 8" (Kounavis and Berry, 2005). It uses eight tables, one for each distance of a byte from the end of the step.
struct CRC32: Sendable {
  private var register: UInt32 = .max

  var value: UInt32 { ~register }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    Self.tables.withUnsafeBufferPointer { table in
      var crc = register
      var offset = 0
      while offset &+ 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ UInt64(crc)
        // The indices are masked to 0...255 and offset by at most 7 · 256, so they are within the 2048 entries.
        let near = table[Int(word & 255) &+ 1792] ^ table[Int((word >> 8) & 255) &+ 1536]
        let next = table[Int((word >> 16) & 255) &+ 1280] ^ table[Int((word >> 24) & 255) &+ 1024]
        let last = table[Int((word >> 32) & 255) &+ 768] ^ table[Int((word >> 40) & 255) &+ 512]
        let far = table[Int((word >> 48) & 255) &+ 256] ^ table[Int(word >> 56)]
        crc = near ^ next ^ last ^ far
        offset &+= 8
      }
      while offset < bytes.count {
        crc = table[Int((crc ^ UInt32(bytes[offset])) & 255)] ^ (crc >> 8)
        offset &+= 1
      }
      register = crc
    }
  }

  /// Table `n` (entries 256·n ..< 256·(n+1)) contains, for each byte, the remainder of that byte followed by `n` zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 2048)
    for byte in 0..<256 {
      var remainder = UInt32(byte)
      for _ in 0..<8 { remainder = (remainder >> 1) ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
      tables[byte] = remainder
    }
    for entry in 256..<2048 {
      let shorter = tables[entry - 256]
      tables[entry] = tables[Int(shorter & 255)] ^ (shorter >> 8)
    }
    return tables
  }()
}
