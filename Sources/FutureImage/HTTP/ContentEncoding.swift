/// The codings that a `Content-Encoding` field names: RFC 9110, section 8.4.
///
/// Object stores send any label that an upload had in that field: `aws-chunked`, `utf-8`, `binary`. A label that names no coding is
/// ignored, as in browsers (Fetch Standard, "handle content codings"; whatwg/fetch issue 716).
enum ContentEncoding {
  /// The codings in IANA's HTTP Content Coding Registry, with their older names.
  private static let registered: Set<String> = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip", "zstd"
  ]

  /// Returns the codings in lower case, in the order in which they were applied.
  static func codings(_ field: String?) -> [String] {
    guard let field else { return [] }
    return field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { registered.contains($0) }
  }

  /// Whether the content is sent unencoded.
  static func isIdentity(_ field: String?) -> Bool { codings(field).isEmpty }
}
