/// SHA-256 as FIPS 180-4 describes it.
///
/// The library implements SHA-256, because no other implementation is available on every platform without a dependency. The digests name
/// files, and the input is not secret, so the code need not run in constant time.
package enum SHA256 {
  /// The digest, as eight words, the most significant first.
  struct Digest: Hashable, Sendable {
    fileprivate(set) var words: SIMD8<UInt32>

    /// Returns lowercase hexadecimal digits: all 64 digits, or the digits from a position on.
    func hexadecimal(from start: Int = 0) -> String {
      String(unsafeUninitializedCapacity: 64 - start) { text in
        for position in start..<64 {
          let digit = UInt8(truncatingIfNeeded: words[position / 8] >> UInt32(28 - position % 8 * 4)) & 15
          text[position - start] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
        return 64 - start
      }
    }
  }

  /// Returns 64 lowercase hexadecimal digits.
  package static func hex(of data: Data) -> String {
    digest(of: data).hexadecimal()
  }

  static func digest(of data: Data) -> Digest {
    data.withUnsafeBytes { digest(of: $0) }
  }

  static func digest(of bytes: UnsafeRawBufferPointer) -> Digest {
    var digest = Digest(words: initial)
    let whole = bytes.count / 64 * 64
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      schedule.initialize(repeating: 0)
      for start in stride(from: 0, to: whole, by: 64) {
        compress(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 64]), into: &digest.words, schedule)
      }
      // Hash the rest, a one bit, zeros, and the length in bits as the last eight bytes. These fill one block or two blocks.
      let rest = bytes.count - whole
      let padded = rest < 56 ? 64 : 128
      withUnsafeTemporaryAllocation(byteCount: padded, alignment: 8) { tail in
        tail.initializeMemory(as: UInt8.self, repeating: 0)
        tail.copyBytes(from: bytes[whole...])
        tail[rest] = 0x80
        tail.storeBytes(of: (UInt64(bytes.count) * 8).bigEndian, toByteOffset: padded - 8, as: UInt64.self)
        for start in stride(from: 0, to: padded, by: 64) {
          compress(UnsafeRawBufferPointer(rebasing: tail[start..<start + 64]), into: &digest.words, schedule)
        }
      }
    }
    return digest
  }

  /// Section 6.2.2, for one block of 64 bytes. `w` has room for 64 words.
  private static func compress(
    _ block: UnsafeRawBufferPointer, into hash: inout SIMD8<UInt32>, _ w: UnsafeMutableBufferPointer<UInt32>
  ) {
    for t in 0..<16 { w[t] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: t * 4, as: UInt32.self)) }
    for t in 16..<64 {
      let early = w[t - 15]
      let late = w[t - 2]
      let sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
      let sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
      w[t] = sigma1 &+ w[t - 7] &+ sigma0 &+ w[t - 16]
    }
    var (a, b, c, d, e, f, g, h) = (hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7])
    for t in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let first = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ constants[t] &+ w[t]
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    hash = hash &+ SIMD8(a, b, c, d, e, f, g, h)
  }

  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    (word >> bits) | (word << (32 - bits))
  }

  /// Section 5.3.3.
  private static let initial: SIMD8<UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
  ]

  /// Section 4.2.2.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2
  ]
}
