/// Parses a response's status line and header fields, line by line, as RFC 9112 defines them. A pure value.
///
/// Interim responses (1xx) are skipped. After the empty line of the final response, nothing more is parsed, but trailer fields still count
/// against the limit.
struct ResponseHead {
  /// The maximum size of all lines together, in bytes.
  private let limit: Int
  private var size = 0
  private var status = 0
  private var headers: [String: String] = [:]
  private var lastName: String?
  private(set) var isComplete = false

  init(limit: Int = FutureImage.Response.maxHeaderBytes) {
    self.limit = limit
  }

  var hasBegun: Bool { size > 0 }

  /// Adds one line, including its line break.
  /// - Returns: the response, if this line is the empty line that ends its head; otherwise nil.
  /// - Throws: ``FutureImage/Failure`` if the lines are longer than the limit, or state different lengths of the body.
  mutating func add(_ line: UnsafeRawBufferPointer) throws -> FutureImage.Response? {
    size += line.count
    guard size <= limit else { throw FutureImage.Failure(.tooLongHead(limit)) }
    if isComplete { return nil }

    // The bytes are untyped, so they may be bound to `UInt8`.
    let text = line.bindMemory(to: UInt8.self).trimmed
    if text.isEmpty { return try end() }
    if text.starts(with: "HTTP/".utf8) {
      begin(text)
    } else if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      // A folded line continues the value of the previous line.
      if let lastName, let value = headers[lastName] { headers[lastName] = value + " " + String(decoding: text, as: UTF8.self) }
    } else {
      field(text)
    }
    return nil
  }

  private mutating func begin(_ line: UnsafeBufferPointer<UInt8>) {
    // Room for the usual number of fields.
    headers = Dictionary(minimumCapacity: 12)
    lastName = nil
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    status = words.count > 1 ? Int(digits: String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
  }

  private mutating func field(_ line: UnsafeBufferPointer<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = UnsafeBufferPointer(rebasing: line[..<colon]).trimmed.lowercasedText
    let bytes = UnsafeBufferPointer(rebasing: line[(colon + 1)...]).trimmed
    let value = name == "location" ? bytes.targetText : String(decoding: bytes, as: UTF8.self)
    if let before = headers.updateValue(value, forKey: name) { headers[name] = "\(before), \(value)" }
    lastName = name
  }

  private mutating func end() throws -> FutureImage.Response? {
    guard status >= 200 else { return nil }
    isComplete = true
    try FutureImage.Response.requireOneLength(status: status, headers: headers)
    return FutureImage.Response(status: status, headers: headers)
  }
}

extension FutureImage.Response {
  /// The maximum size of all header fields together, in bytes.
  static let maxHeaderBytes = 64 << 10

  /// Creates a response whose `expectedBytes` is derived from its status and header fields.
  init(status: Int, headers: [String: String]) {
    self.init(status: status, headers: headers, expectedBytes: Self.expectedBytes(status: status, headers: headers))
  }

  /// Throws a `.malformed` failure if the response states different lengths, because no recipient can then determine where the body ends:
  /// RFC 9112, section 6.3, rule 5.
  static func requireOneLength(status: Int, headers: [String: String]) throws {
    guard status != 204, status != 304, headers["transfer-encoding"] == nil, let field = headers["content-length"] else { return }
    guard field.utf8.contains(UInt8(ascii: ",")) else { return }
    guard lengths(field).count <= 1 else { throw FutureImage.Failure(.malformed("its Content-Length fields contradict each other")) }
  }

  /// Returns the distinct values of a field that may occur more than once.
  private static func lengths(_ field: String) -> Set<String> {
    Set(field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
  }

  /// Returns the body's length by RFC 9112, section 6.3; nil if it is unknown, or known only for the compressed body.
  static func expectedBytes(status: Int, headers: [String: String]) -> Int? {
    if status == 204 || status == 304 { return 0 }
    guard ContentEncoding.isIdentity(headers["content-encoding"]) else { return nil }
    guard headers["transfer-encoding"] == nil, let length = headers["content-length"] else { return nil }
    if let count = Int(digits: length) { return count }
    // The field may occur more than once, and counts only if all values agree.
    let lengths = lengths(length)
    guard lengths.count == 1, let only = lengths.first else { return nil }
    return Int(digits: only)
  }
}

extension FutureImage.Failure.Reason {
  static func tooLongHead(_ limit: Int = FutureImage.Response.maxHeaderBytes) -> Self {
    .malformed("its header fields have more than the \(limit) bytes allowed")
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes without surrounding white space and line breaks.
  fileprivate var trimmed: Self {
    let isBlank = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
    guard let start = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
      return Self(rebasing: self[endIndex...])
    }
    return Self(rebasing: self[start...last])
  }

  /// The text of a redirect's target. If the bytes are not UTF-8, all bytes beyond ASCII are percent-escaped without conversion, as in
  /// browsers and curl. Such bytes are mostly Latin-1, but only the server knows their encoding.
  fileprivate var targetText: String {
    if let text = String(validating: self, as: UTF8.self) { return text }
    return String(decoding: flatMap { $0 < 128 ? [$0] : Array("%\(String($0, radix: 16, uppercase: true))".utf8) }, as: UTF8.self)
  }

  fileprivate var lowercasedText: String {
    guard allSatisfy({ $0 < 128 }) else { return String(decoding: self, as: UTF8.self).lowercased() }
    return String(unsafeUninitializedCapacity: count) { text in
      // The bytes fit exactly, because ASCII text has the same length in lowercase.
      for (index, byte) in enumerated() { text[index] = (65...90).contains(byte) ? byte | 32 : byte }
      return count
    }
  }
}

/// The codings that a `Content-Encoding` field names: RFC 9110, section 8.4.
///
/// Object stores return any label that an upload had in that field, such as `aws-chunked`, `utf-8`, or `binary`. A label that names no
/// coding is ignored, as in browsers (Fetch Standard, "handle content codings"; whatwg/fetch issue 716).
enum ContentEncoding {
  /// The codings in IANA's HTTP Content Coding Registry, with their older names.
  private static let registered: Set<String> = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip", "zstd"
  ]

  /// Returns the codings in lowercase, in the order in which they were applied.
  static func codings(_ field: String?) -> [String] {
    guard let field else { return [] }
    return field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { registered.contains($0) }
  }

  /// Whether the content is sent unencoded.
  static func isIdentity(_ field: String?) -> Bool { codings(field).isEmpty }
}
