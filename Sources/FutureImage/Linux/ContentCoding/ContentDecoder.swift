#if canImport(CContentCoding) && !canImport(UIKit)
/// A type that decodes one content coding of a response, step by step.
///
/// libcurl could decode the content, but it treats a compressed body that ends early as complete.
protocol ContentDecoder: AnyObject {
  /// Decodes bytes as long as their output fits in `room`.
  /// - Returns: the number of bytes consumed, and the number of bytes produced.
  /// - Throws: ``FutureImage/Failure`` with `.malformed` if the bytes violate the coding.
  func decode(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) throws -> (taken: Int, made: Int)
  /// Whether the end of the coded content has been reached.
  var isComplete: Bool { get }
  /// Resets the decoder, which has reached the end of the coded content, because more content follows. For example, a gzip file may have
  /// several parts, each with its own end.
  /// - Parameter byte: the first byte after the end.
  /// - Returns: false if the byte cannot continue the content.
  func proceed(with byte: UInt8) -> Bool
}
#endif
