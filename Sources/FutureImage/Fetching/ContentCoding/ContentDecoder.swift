#if canImport(CContentCoding) && !canImport(UIKit)
/// Undoes one coding of an answer's content, piece by piece.
///
/// libcurl could do that, but takes a compressed body that ends early for a whole one.
protocol ContentDecoder: AnyObject {
  /// Hands on what the bytes come to, in pieces of at most ``ContentCoding/pieceSize`` bytes.
  /// - Throws: ``FutureImage/Failure`` with `.malformed` if they are not what the coding allows, and what `handOn` throws.
  func decode(_ bytes: UnsafeRawBufferPointer, handOn: (UnsafeRawBufferPointer) throws -> Void) throws
  /// Whether the end of the coded content was there.
  var isComplete: Bool { get }
}

/// The codings of an answer's content: RFC 9110, section 8.4.1.
enum ContentCoding {
  /// Of these, each is asked for.
  static let accepted = "gzip, br"
  static let pieceSize = 64 << 10

  /// The decoders for a `Content-Encoding` field, in the order in which they are to run.
  /// - Throws: ``FutureImage/Failure`` if a coding is not known.
  static func decoders(for field: String?) throws -> [any ContentDecoder] {
    guard let field else { return [] }
    let names = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    return try names.reversed().compactMap { name -> (any ContentDecoder)? in
      switch name {
      case "", "identity": return nil
      case "gzip", "x-gzip", "deflate": return try InflateDecoder()
      case "br": return try BrotliDecoder()
      default: throw FutureImage.Failure(.malformed("its content coding “\(name)” was not asked for"))
      }
    }
  }

  static var malformed: FutureImage.Failure { FutureImage.Failure(.malformed("its compressed content is broken")) }
}

extension [any ContentDecoder] {
  /// Runs the bytes through one decoder after the other.
  func decode(_ bytes: UnsafeRawBufferPointer, handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    try self[...].decode(bytes, handOn: handOn)
  }
}

extension ArraySlice<any ContentDecoder> {
  fileprivate func decode(_ bytes: UnsafeRawBufferPointer, handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let first else { return try handOn(bytes) }
    try first.decode(bytes) { try dropFirst().decode($0, handOn: handOn) }
  }
}
#endif
