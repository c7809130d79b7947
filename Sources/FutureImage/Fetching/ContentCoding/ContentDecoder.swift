#if canImport(CContentCoding) && !canImport(UIKit)
/// Undoes one coding of an answer's content, step by step.
///
/// libcurl could do that, but takes a compressed body that ends early for a whole one.
protocol ContentDecoder: AnyObject {
  /// Takes as many of the bytes as fit what there is room for.
  /// - Returns: how many bytes were taken, and how many were made.
  /// - Throws: ``FutureImage/Failure`` with `.malformed` if they are not what the coding allows.
  func decode(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) throws -> (taken: Int, made: Int)
  /// Whether the end of the coded content was there.
  var isComplete: Bool { get }
  /// Resets the decoder for content that goes on behind an end.
  /// - Parameter byte: the first one behind the end.
  /// - Returns: false if it belongs to nothing.
  func goOn(with byte: UInt8) -> Bool
}

/// The codings of an answer's content: RFC 9110, section 8.4.1.
enum ContentCoding {
  /// Of these, each is asked for.
  static let accepted = "gzip, br"
  /// The most codings around one another. No server has a reason for two; each multiplies what a small answer can cost.
  static let limit = 2

  /// The decoders for a `Content-Encoding` field, in the order in which they are to run.
  /// - Throws: ``FutureImage/Failure`` if a coding was not asked for, or if there are too many. Labels that name no coding are ignored.
  static func decoders(for field: String?) throws -> [any ContentDecoder] {
    let names = ContentEncoding.codings(field)
    guard names.count <= limit else {
      throw FutureImage.Failure(.malformed("it has \(names.count) content codings around one another, of \(limit) allowed"))
    }
    return try names.reversed().map { name -> any ContentDecoder in
      switch name {
      case "gzip", "x-gzip", "deflate": return try InflateDecoder()
      case "br": return try BrotliDecoder()
      default: throw FutureImage.Failure(.malformed("its content coding “\(name)” was not requested"))
      }
    }
  }

  static var malformed: FutureImage.Failure { FutureImage.Failure(.malformed("its compressed content is broken")) }
}
#endif
