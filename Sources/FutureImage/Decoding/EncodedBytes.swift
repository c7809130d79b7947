import Foundation

/// The bytes of a file, read with bounds checks. A read outside of the bytes returns nil, whatever length a hostile file declares.
struct EncodedBytes {
  // This pointer is valid only while the closure of `Data.withEncodedBytes(_:)` runs, and it is not stored beyond that.
  private let bytes: UnsafeRawBufferPointer

  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var count: Int { bytes.count }

  subscript(position: Int) -> UInt8? { position >= 0 && position < bytes.count ? bytes[position] : nil }

  /// Returns the number in two bytes, the higher byte first.
  func number16(at position: Int) -> Int? {
    guard position >= 0, position <= bytes.count - 2 else { return nil }
    return Int(bytes[position]) << 8 | Int(bytes[position + 1])
  }

  /// Returns the number in four bytes, the highest byte first.
  func number32(at position: Int) -> Int? {
    guard position >= 0, position <= bytes.count - 4 else { return nil }
    return (0..<4).reduce(0) { $0 << 8 | Int(bytes[position + $1]) }
  }

  /// Returns the number in eight bytes, the highest byte first; `Int.max` if the number exceeds it.
  func number64(at position: Int) -> Int? {
    guard position <= bytes.count - 8, let high = number32(at: position), let low = number32(at: position + 4) else { return nil }
    return high > Int(Int32.max) ? Int.max : high << 32 | low
  }

  /// Returns the number in four bytes, the lowest byte first.
  func littleEndian32(at position: Int) -> Int? { number32(at: position).map { Int(UInt32(truncatingIfNeeded: $0).byteSwapped) } }

  func has(_ text: StaticString, at position: Int) -> Bool {
    guard position >= 0, position <= bytes.count - text.utf8CodeUnitCount else { return false }
    // The buffer has as many bytes as the literal, which exists as long as the program.
    return bytes[position...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Returns the position of the first byte with this value at or after `position`; nil if there is none.
  func first(_ byte: UInt8, from position: Int) -> Int? {
    guard position >= 0, position < bytes.count, let base = bytes.baseAddress else { return nil }
    // `memchr` searches only from a valid position to the end.
    return memchr(base + position, Int32(byte), bytes.count - position).map { UnsafeRawPointer($0) - base }
  }
}

extension Data {
  /// Calls `body` with the bytes. They must not escape from `body`.
  func withEncodedBytes<Result>(_ body: (EncodedBytes) throws -> Result) rethrows -> Result {
    try withUnsafeBytes { try body(EncodedBytes($0)) }
  }
}
