#if canImport(CContentCoding) && !canImport(UIKit)
/// The content codings of a response: RFC 9110, section 8.4.1.
enum ContentCoding {
  /// The codings that requests accept.
  static let accepted = "gzip, br"
  /// The maximum number of nested codings. No server has a reason for two codings, and each coding multiplies the possible cost of a small
  /// response.
  static let limit = 2

  /// Returns the decoders for a `Content-Encoding` field, in the order in which they must run.
  /// - Parameter field: the value of the field. Words in it that are not names of codings, such as `utf-8`, are ignored.
  /// - Throws: ``FutureImage/Failure`` if there is no decoder for a coding, or if there are too many codings.
  static func decoders(for field: String?) throws -> [any ContentDecoder] {
    let names = ContentEncoding.codings(field)
    guard names.count <= limit else {
      throw FutureImage.Failure(.malformed("it has \(names.count) nested content codings, more than the \(limit) allowed"))
    }
    return try names.reversed().map { name -> any ContentDecoder in
      switch name {
      case "gzip", "x-gzip": return try InflateDecoder()
      case "deflate": return try InflateDecoder(mayLackHeader: true)
      case "br": return try BrotliDecoder()
      default: throw FutureImage.Failure(.malformed("its content coding “\(name)” was not requested"))
      }
    }
  }

  static var malformed: FutureImage.Failure { FutureImage.Failure(.malformed("its compressed content is broken")) }
}
#endif
