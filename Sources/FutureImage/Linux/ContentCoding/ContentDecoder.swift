#if canImport(CContentCoding) && !canImport(UIKit)
/// A type that decodes one content coding of a response, step by step.
///
/// libcurl could do that, but treats a compressed body that ends early as complete.
protocol ContentDecoder: AnyObject {
  /// Decodes as many of the bytes as there is room for.
  /// - Returns: the number of bytes consumed, and the number of bytes produced.
  /// - Throws: ``FutureImage/Failure`` with `.malformed` if the bytes violate the coding.
  func decode(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) throws -> (taken: Int, made: Int)
  /// Whether the end of the coded content has been reached.
  var isComplete: Bool { get }
  /// Resets the decoder for content that continues after an end.
  /// - Parameter byte: the first byte after the end.
  /// - Returns: false if the byte cannot continue the content.
  func goOn(with byte: UInt8) -> Bool
}
#endif
