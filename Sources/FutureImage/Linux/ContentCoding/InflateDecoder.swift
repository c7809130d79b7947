#if canImport(CContentCoding) && !canImport(UIKit)
import CContentCoding

/// A decoder of gzip (RFC 1952) and of deflate with zlib's header (RFC 1950), whose checksums it verifies. It also decodes deflate without
/// a header (RFC 1951), which has no checksum.
///
/// The coding “deflate” has zlib's header. But servers have always sent deflate without that header, too, and every browser and curl accept
/// it (RFC 9110, section 8.4.1.2).
final class InflateDecoder: ContentDecoder {
  /// The stream is on the heap and never moves, because zlib stores a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private(set) var isComplete = false
  /// Whether the content is gzip; nil before the first byte.
  private var isGzip: Bool?
  private let mayLackHeader: Bool

  /// - Parameter mayLackHeader: whether the content may be deflate without a header.
  init(mayLackHeader: Bool = false) throws {
    self.mayLackHeader = mayLackHeader
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard ccoding_inflate_init(stream) == Z_OK else {
      throw FutureImage.Failure(.transport(.other("there is not enough memory for zlib; release memory and try again")))
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func decode(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) throws -> (taken: Int, made: Int) {
    if isGzip == nil, let first = bytes.first { try begin(first) }
    // zlib only reads through the input pointer, despite its type. It uses both buffers only during this call, while they are valid.
    stream.pointee.next_in = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_in = uInt(bytes.count)
    stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = uInt(room.count)
    let code = inflate(stream, Z_NO_FLUSH)
    isComplete = code == Z_STREAM_END
    // Z_BUF_ERROR means that the input yields no more output.
    guard isComplete || code == Z_OK || code == Z_BUF_ERROR else { throw ContentCoding.malformed }
    return (bytes.count - Int(stream.pointee.avail_in), room.count - Int(stream.pointee.avail_out))
  }

  /// Chooses the format by the first byte. In zlib's header, the lower half of this byte is 8. In deflate without a header, such a byte
  /// would begin a stored block whose padding is not zero, and no encoder writes such a block. The first byte of gzip would begin a block
  /// of a type that does not exist.
  private func begin(_ first: UInt8) throws {
    isGzip = first == Self.firstByteOfGzip
    guard mayLackHeader, isGzip == false, first & 15 != 8 else { return }
    // The number 15 means the largest window, and a negative number means content without a header.
    guard inflateReset2(stream, -15) == Z_OK else { throw ContentCoding.malformed }
  }

  /// Resets the stream for the next member, because a gzip file is a series of members (RFC 1952, section 2.2).
  func proceed(with byte: UInt8) -> Bool {
    guard isGzip == true, byte == Self.firstByteOfGzip, inflateReset(stream) == Z_OK else { return false }
    isComplete = false
    return true
  }

  private static let firstByteOfGzip: UInt8 = 0x1F
}
#endif
