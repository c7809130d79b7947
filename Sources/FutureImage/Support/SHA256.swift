#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// SHA-256, by CryptoKit on Apple's platforms and by OpenSSL on Linux. The digests name files, and stand for secrets in keys.
package enum SHA256 {
  /// The digest, as eight words, the most significant first.
  struct Digest: Hashable, Sendable {
    let words: SIMD8<UInt32>

    /// - Parameter bytes: the 32 bytes of the digest.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
      var words = SIMD8<UInt32>()
      for index in 0..<8 { words[index] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)) }
      self.words = words
    }

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

  #if canImport(CryptoKit)
  static func digest(of bytes: UnsafeRawBufferPointer) -> Digest {
    var hash = CryptoKit.SHA256()
    hash.update(bufferPointer: bytes)
    return hash.finalize().withUnsafeBytes { Digest($0) }
  }
  #else
  static func digest(of bytes: UnsafeRawBufferPointer) -> Digest {
    withUnsafeTemporaryAllocation(byteCount: Int(SHA256_DIGEST_LENGTH), alignment: 4) { digest in
      // The function writes as many bytes as the buffer has, and reads nothing if there are no bytes.
      _ = CCrypto.SHA256(
        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, digest.bindMemory(to: UInt8.self).baseAddress)
      return Digest(UnsafeRawBufferPointer(digest))
    }
  }
  #endif
}
