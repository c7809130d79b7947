/// The received beginning of an interrupted body, whose rest the server can send: RFC 9110, sections 14 (ranges) and 13.1.5 (`If-Range`).
struct PartialBody: Sendable {
  let data: Data
  /// The response of the first attempt, without its body.
  let response: FutureImage.Response
  private let validator: String

  /// Returns nil if the rest cannot be requested. A compressed body cannot be continued, because ranges count compressed bytes, and the
  /// data is decompressed. Without a strong validator, the rest may belong to another image.
  init?(_ data: Data, of response: FutureImage.Response) {
    guard response.status == 200, !data.isEmpty, response.hasIdentityCoding, response.headers["accept-ranges"]?.lowercased() != "none",
      let validator = response.strongValidator
    else { return nil }
    self.data = data
    self.response = response
    self.validator = validator
  }

  /// The memory use in bytes.
  var byteCount: Int { data.count + response.headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }

  /// The header fields that request the rest, or the whole body if the image has changed.
  var conditions: [String: String] { ["Range": "bytes=\(data.count)-", "If-Range": validator] }

  /// Returns the total length in bytes if the other response continues this body where the data ends; otherwise nil. The inner value is nil
  /// if the server does not state the total length.
  func total(continuedBy other: FutureImage.Response) -> Int?? {
    guard other.status == 206, other.hasIdentityCoding, let range = other.contentRange, range.first == data.count else { return nil }
    for name in ["etag", "last-modified"] {
      if let new = other.headers[name], let old = response.headers[name], new != old { return nil }
    }
    if let total = range.total, let expected = response.expectedBytes, total != expected { return nil }
    return .some(range.total ?? response.expectedBytes)
  }
}

extension FutureImage.Response {
  fileprivate var hasIdentityCoding: Bool { ContentEncoding.isIdentity(headers["content-encoding"]) }

  /// The `ETag`, or nil if it is weak. If there is no `ETag`, the `Last-Modified`, or nil if it is less than a second before the response's
  /// `Date`: RFC 9110, section 8.8.2.2.
  fileprivate var strongValidator: String? {
    if let tag = headers["etag"] { return tag.hasPrefix("\"") ? tag : nil }
    guard let modified = headers["last-modified"], let modifiedAt = HTTPDate.date(modified),
      let sentAt = headers["date"].flatMap({ HTTPDate.date($0) }), sentAt.timeIntervalSince(modifiedAt) >= 1
    else { return nil }
    return modified
  }

  /// The parsed `Content-Range`, `bytes first-last/total`, where the total may be `*`: RFC 9110, section 14.4.
  fileprivate var contentRange: (first: Int, total: Int?)? {
    guard let field = headers["content-range"], field.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = field.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false).map {
      Int(digits: $0.trimmingCharacters(in: .whitespaces))
    }
    guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last, last < .max else { return nil }
    let text = parts[1].trimmingCharacters(in: .whitespaces)
    let total = Int(digits: text)
    guard text == "*" || total == last + 1 else { return nil }
    return (first, total)
  }
}
