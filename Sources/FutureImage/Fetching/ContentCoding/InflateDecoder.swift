#if canImport(CContentCoding) && !canImport(UIKit)
import CContentCoding

/// gzip (RFC 1952) and deflate with zlib's header (RFC 1950), whose checksums are verified.
final class InflateDecoder: ContentDecoder {
  /// On the heap and never moved: zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private(set) var isComplete = false
  /// Whether the content is gzip; nil before the first byte.
  private var isGzip: Bool?

  init() throws {
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
    if isGzip == nil, let first = bytes.first { isGzip = first == Self.firstByteOfGzip }
    // zlib only reads through the pointer, despite its type, and only during this call, for which both buffers are valid.
    stream.pointee.next_in = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_in = uInt(bytes.count)
    stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = uInt(room.count)
    let code = inflate(stream, Z_NO_FLUSH)
    isComplete = code == Z_STREAM_END
    // Z_BUF_ERROR: the input yields no more output.
    guard isComplete || code == Z_OK || code == Z_BUF_ERROR else { throw ContentCoding.malformed }
    return (bytes.count - Int(stream.pointee.avail_in), room.count - Int(stream.pointee.avail_out))
  }

  /// Resets the stream for the next member: a gzip file is a series of members (RFC 1952, section 2.2).
  func goOn(with byte: UInt8) -> Bool {
    guard isGzip == true, byte == Self.firstByteOfGzip, inflateReset(stream) == Z_OK else { return false }
    isComplete = false
    return true
  }

  private static let firstByteOfGzip: UInt8 = 0x1F
}
#endif
