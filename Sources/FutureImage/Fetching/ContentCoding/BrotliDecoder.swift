#if canImport(CContentCoding) && !canImport(UIKit)
import CContentCoding

/// Brotli (RFC 7932), which has no checksum.
final class BrotliDecoder: ContentDecoder {
  private let state: OpaquePointer
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentCoding.pieceSize, alignment: 16)
  private(set) var isComplete = false

  init() throws {
    guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
      throw FutureImage.Failure(.transport(.other("brotli could not be started")))
    }
    self.state = state
  }

  deinit {
    BrotliDecoderDestroyInstance(state)
    output.deallocate()
  }

  func decode(_ bytes: UnsafeRawBufferPointer, handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    // Both buffers hold for the call, and each pointer is given with the count of what is left behind it.
    var next = bytes.bindMemory(to: UInt8.self).baseAddress
    var left = bytes.count
    var result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
    while left > 0 || result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT {
      // What follows the end belongs to nothing.
      guard !isComplete else { throw ContentCoding.malformed }
      var place = output.bindMemory(to: UInt8.self).baseAddress
      var room = output.count
      result = BrotliDecoderDecompressStream(state, &left, &next, &room, &place, nil)
      guard result != BROTLI_DECODER_RESULT_ERROR else { throw ContentCoding.malformed }
      isComplete = result == BROTLI_DECODER_RESULT_SUCCESS
      if room < output.count { try handOn(UnsafeRawBufferPointer(rebasing: output[..<(output.count - room)])) }
      if isComplete, left == 0 { return }
    }
  }
}
#endif
