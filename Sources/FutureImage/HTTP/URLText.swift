/// Reads the text of a URL, from a model or a `Location` field, by the rules of the URL Standard for browsers (https://url.spec.whatwg.org,
/// section 4.4). `URL(string:)` accepts fewer texts. If a text needs another escape, `URL(string:)` also escapes the escapes that the text
/// already has.
///
/// | text | URL |
/// | --- | --- |
/// | `https://a/%20b c` | `https://a/%20b%20c` |
/// | `https:\\a\b.jpg` | `https://a/b.jpg` |
/// | `https://a/b` + line break + `c.jpg` | `https://a/bc.jpg` |
/// | `HTTP:/A:80/b/%2e%2E/ä?ö` | `http://a/%C3%A4?%C3%B6` |
///
/// These are the differences from the standard. Either a `URL` cannot represent the standard's result, or no image needs that result:
/// - More characters are escaped: `[ \ ] |` in a path, these characters and ``^ ` { }`` in a query or fragment, blanks in URLs without
///   slashes, and a percent sign that begins no escape.
/// - Only `http` and `https` are special schemes.
/// - A host with one of the characters ``" ` { }`` is not valid. A host of numbers, such as `0x7f.1`, remains a name. An IPv6 address is
///   written in lowercase, but is not shortened. Foundation encodes a host that has characters beyond ASCII.
enum URLText {
  enum Fault: Error {
    /// The text is not a URL, or a web URL without a host.
    case invalid
    /// The text is a relative URL, and there is no base.
    case relative
  }

  static func url(_ text: String, relativeTo base: URL? = nil) throws(Fault) -> URL {
    // Nearly all texts need no change.
    if CanonicalURL.isPlain(text) || isPlainData(text), let url = URL(string: text) { return url }
    let result = try parts(of: cleaned(text.utf8), relativeTo: base.map { URLParts($0.absoluteString.utf8) })
    guard let url = URL(string: try isWeb(result.scheme) ? spelledWeb(result) : spelled(result)) else { throw .invalid }
    return url
  }

  /// Returns the text without line breaks and tabs, and without surrounding blanks and control characters.
  private static func cleaned(_ text: some BidirectionalCollection<UInt8>) -> [UInt8] {
    guard let start = text.firstIndex(where: { $0 > 32 }), let last = text.lastIndex(where: { $0 > 32 }) else { return [] }
    return text[start...last].filter { $0 != 9 && $0 != 10 && $0 != 13 }
  }

  private static func parts(of text: [UInt8], relativeTo base: URLParts?) throws(Fault) -> URLParts {
    var parts = URLParts(withoutAuthority: text)
    if isWeb(parts.scheme) || (parts.scheme.isEmpty && base.map { isWeb($0.scheme) } == true) {
      parts.path = parts.path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }[...]
      let slashes = parts.path.prefix { $0 == UInt8(ascii: "/") }.count
      if slashes < 2, parts.scheme == base?.scheme { parts.scheme = "" }
      // Any number of slashes may precede a host.
      if slashes >= 2 || !parts.scheme.isEmpty { parts.moveAuthority(slashes: slashes) }
    } else if parts.path.starts(with: "//".utf8) {
      parts.moveAuthority(slashes: 2)
    }
    guard parts.scheme.isEmpty else { return parts }
    guard let base else { throw .relative }
    // A base without folders, such as a data URL, cannot complete a relative URL.
    guard base.authority != nil || base.path.first == UInt8(ascii: "/") else { throw .invalid }
    return parts.resolved(against: base)
  }

  private static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

  private static func spelledWeb(_ parts: URLParts) throws(Fault) -> String {
    guard let authority = parts.authority else { throw .invalid }
    var text = parts.scheme + "://" + escapedUserinfo(authority) + (try host(authority.host))
    if let port = authority.port, !port.isEmpty {
      guard let number = UInt16(String(decoding: port, as: UTF8.self)) else { throw .invalid }
      if number != (parts.scheme == "http" ? 80 : 443) { text += ":\(number)" }
    }
    let path = URLParts.withoutDotSegments(Array(parts.path))
    text += path.isEmpty ? "/" : escaped(path[...], .path)
    return text + escapedEnd(parts, .webQuery)
  }

  private static func spelled(_ parts: URLParts) -> String {
    guard let authority = parts.authority else {
      return parts.scheme + ":" + escaped(parts.path, .path) + escapedEnd(parts, .query)
    }
    let port = authority.port.map { ":" + String(decoding: $0, as: UTF8.self) } ?? ""
    let place = escapedUserinfo(authority) + escaped(authority.host, .otherHost) + port
    let path = escaped(URLParts.withoutDotSegments(Array(parts.path))[...], .path)
    return parts.scheme + "://" + place + path + escapedEnd(parts, .query)
  }

  private static func escapedUserinfo(_ authority: URLParts.Authority) -> String {
    guard let userinfo = authority.userinfo else { return "" }
    let halves = userinfo.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    let user = halves.first.map { escaped($0, .userinfo) } ?? ""
    let password = halves.count > 1 && !halves[1].isEmpty ? ":" + escaped(halves[1], .userinfo) : ""
    return user.isEmpty && password.isEmpty ? "" : user + password + "@"
  }

  private static func escapedEnd(_ parts: URLParts, _ inQuery: Allowed) -> String {
    (parts.query.map { "?" + escaped($0, inQuery) } ?? "") + (parts.fragment.map { "#" + escaped($0, .query) } ?? "")
  }

  /// Whether the text is a `data` URL that needs no change. Nearly all data URLs need no change, and they may be megabytes long.
  private static func isPlainData(_ text: String) -> Bool {
    guard text.utf8.starts(with: "data:".utf8) else { return false }
    return text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { table[Int($0)] & Allowed.query.rawValue != 0 } } ?? false
  }
}

extension URLText {
  /// Returns the host in the spelling of a URL: URL Standard, section 3.5. Does not encode a name beyond ASCII, because Foundation encodes
  /// it by IDNA.
  private static func host(_ bytes: URLParts.Bytes) throws(Fault) -> String {
    if bytes.first == UInt8(ascii: "[") {
      guard bytes.last == UInt8(ascii: "]"), bytes.dropFirst().dropLast().allSatisfy(isAddressByte) else { throw .invalid }
      return String(decoding: bytes.map(\.lowercased), as: UTF8.self)
    }
    guard let name = String(validating: unescaped(bytes).map(\.lowercased), as: UTF8.self), !name.isEmpty else { throw .invalid }
    guard name.utf8.allSatisfy({ $0 > 127 || table[Int($0)] & Allowed.host.rawValue != 0 }) else { throw .invalid }
    return name
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    byte.hexDigit != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }

  /// Returns the bytes, with each escape replaced by the byte that it represents.
  private static func unescaped(_ bytes: URLParts.Bytes) -> [UInt8] {
    var out: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let value = escape(in: bytes, at: index)
      out.append(value ?? bytes[index])
      index += value == nil ? 1 : 3
    }
    return out
  }

  /// Returns the byte that the escape at the index represents; nil if there is no escape.
  private static func escape(in bytes: URLParts.Bytes, at index: Int) -> UInt8? {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = bytes[index + 1].hexDigit,
      let low = bytes[index + 2].hexDigit
    else { return nil }
    return high << 4 | low
  }
}

extension URLText {
  /// The parts of a URL in which a byte needs no escape, because the standard does not escape it there and RFC 3986 allows it.
  private struct Allowed: OptionSet {
    let rawValue: UInt8
    static let userinfo = Allowed(rawValue: 1)
    /// The host of a web URL. An ASCII byte that is not allowed in this part makes the URL invalid.
    static let host = Allowed(rawValue: 2)
    static let otherHost = Allowed(rawValue: 4)
    static let path = Allowed(rawValue: 8)
    static let webQuery = Allowed(rawValue: 16)
    static let query = Allowed(rawValue: 32)
  }

  /// For each byte, the raw value of the parts in which it needs no escape.
  private static let table: [UInt8] = (0...255).map { (byte: UInt8) in
    let isUnreserved = byte < 128 && (byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte))
    let allowed: [(Allowed, String)] = [
      (.userinfo, "!$&'()*+,"), (.host, "!$&'()*+,;="), (.otherHost, "!$&'()*+,;=[]:"), (.path, "!$&'()*+,;=:@/"),
      (.webQuery, "!$&()*+,;=:@/?"), (.query, "!$&'()*+,;=:@/?")
    ]
    return allowed.reduce(0) { flags, part in isUnreserved || part.1.utf8.contains(byte) ? flags | part.0.rawValue : flags }
  }

  /// Returns the bytes, with escapes for the bytes that are not allowed. Existing escapes remain unchanged.
  private static func escaped(_ bytes: URLParts.Bytes, _ allowed: Allowed) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    for index in bytes.indices {
      let byte = bytes[index]
      if table[Int(byte)] & allowed.rawValue != 0 || escape(in: bytes, at: index) != nil {
        out.append(byte)
      } else {
        out += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
