#if canImport(CContentCoding) && !canImport(UIKit)
import CContentCoding

/// A decoder of Brotli (RFC 7932), which has no checksum.
final class BrotliDecoder: ContentDecoder {
  private let state: OpaquePointer
  private(set) var isComplete = false

  init() throws {
    guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
      throw FutureImage.Failure(.transport(.other("there is not enough memory for brotli; release memory and try again")))
    }
    self.state = state
  }

  deinit {
    BrotliDecoderDestroyInstance(state)
  }

  func decode(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) throws -> (taken: Int, made: Int) {
    // Both buffers are valid for the call, and each pointer is passed with the number of bytes left after it.
    var next = bytes.bindMemory(to: UInt8.self).baseAddress
    var left = bytes.count
    var place = room.bindMemory(to: UInt8.self).baseAddress
    var free = room.count
    let result = BrotliDecoderDecompressStream(state, &left, &next, &free, &place, nil)
    guard result != BROTLI_DECODER_RESULT_ERROR else { throw ContentCoding.malformed }
    isComplete = result == BROTLI_DECODER_RESULT_SUCCESS
    return (bytes.count - left, room.count - free)
  }

  func proceed(with byte: UInt8) -> Bool { false }
}
#endif
