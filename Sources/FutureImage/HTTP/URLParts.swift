/// The parts of a URL's text: RFC 3986, appendix B. Every text has these parts, even if it is not a valid URL.
///
/// ``URLText`` uses this type to read the text of a model or a server, and ``CanonicalURL`` uses it to compare URLs.
struct URLParts {
  typealias Bytes = ArraySlice<UInt8>

  struct Authority {
    /// The user, and the password after a colon; nil if there is no at sign.
    var userinfo: Bytes?
    var host: Bytes
    /// The digits after the last colon, which are empty if nothing follows the colon; nil if there is no colon, or if it is followed by
    /// other bytes than digits.
    var port: Bytes?
  }

  /// The scheme in lowercase; empty if the text has no scheme.
  var scheme = ""
  /// The user, the host, and the port; nil if no slashes precede them.
  var authority: Authority?
  var path: Bytes
  var query: Bytes?
  var fragment: Bytes?

  init(_ text: some Sequence<UInt8>) {
    self.init(withoutAuthority: Array(text))
    if path.starts(with: "//".utf8) { moveAuthority(slashes: 2) }
  }

  /// Creates the parts of a text, and leaves its authority, if there is one, in the path.
  init(withoutAuthority bytes: [UInt8]) {
    var rest = bytes[...]
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest.first?.isASCIILetter == true, rest[..<colon].allSatisfy(\.isOfScheme) {
      scheme = String(decoding: rest[..<colon].map(\.lowercased), as: UTF8.self)
      rest = rest[(colon + 1)...]
    }
    fragment = rest.cut(from: UInt8(ascii: "#"))
    query = rest.cut(from: UInt8(ascii: "?"))
    path = rest
  }

  /// Moves the beginning of the path to the authority.
  /// - Parameter slashes: the number of slashes before the authority.
  mutating func moveAuthority(slashes: Int) {
    let start = path.dropFirst(slashes)
    let end = start.firstIndex(of: UInt8(ascii: "/")) ?? start.endIndex
    authority = Authority(start[..<end])
    path = start[end...]
  }

  /// Returns the parts of a relative URL, completed with the parts of its base: RFC 3986, section 5.2.2. Dot segments remain.
  func resolved(against base: URLParts) -> URLParts {
    var result = self
    result.scheme = base.scheme
    if authority != nil { return result }
    result.authority = base.authority
    if path.isEmpty {
      result.path = base.path
      result.query = query ?? base.query
    } else if path.first != UInt8(ascii: "/") {
      let folder = base.path.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] }
      result.path = (folder ?? (base.authority == nil ? [] : [UInt8(ascii: "/")])) + path
    }
    return result
  }
}

extension URLParts.Authority {
  fileprivate init(_ text: URLParts.Bytes) {
    host = text
    if let at = host.lastIndex(of: UInt8(ascii: "@")) {
      userinfo = host[..<at]
      host = host[(at + 1)...]
    }
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[(colon + 1)...].allSatisfy(\.isASCIIDigit) {
      port = host[(colon + 1)...]
      host = host[..<colon]
    }
  }
}

extension URLParts {
  /// Returns the path without the segments `.` and `..`, whether their dots are escaped or not: RFC 3986, section 5.2.4; URL Standard,
  /// section 4.1.
  static func withoutDotSegments(_ path: [UInt8]) -> [UInt8] {
    var kept: [Bytes] = []
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      let dots = dotCount(segment)
      if dots == 2 {
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append([]) }
      } else if dots == 1 {
        if isLast { kept.append([]) }
      } else {
        kept.append(segment)
      }
    }
    return Array(kept.joined(separator: [UInt8(ascii: "/")]))
  }

  /// Returns 1 for a segment of one dot, 2 for a segment of two dots, and otherwise 0.
  private static func dotCount(_ segment: Bytes) -> Int {
    // The longest dot segment is "%2e%2e".
    guard segment.count <= 6, let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%") else { return 0 }
    switch String(decoding: segment, as: UTF8.self).lowercased().replacing("%2e", with: ".") {
    case ".": return 1
    case "..": return 2
    default: return 0
    }
  }
}

extension ArraySlice<UInt8> {
  /// Removes the first occurrence of the byte and all bytes after it. Returns the bytes after it; nil if the byte does not occur.
  fileprivate mutating func cut(from byte: UInt8) -> Self? {
    guard let index = firstIndex(of: byte) else { return nil }
    defer { self = self[..<index] }
    return self[(index + 1)...]
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit; nil for another byte.
  var hexDigit: UInt8? {
    switch self {
    case 48...57: self - 48
    case 65...70: self - 55
    case 97...102: self - 87
    default: nil
    }
  }

  /// The byte, in lowercase if it is an ASCII letter.
  var lowercased: UInt8 { (65...90).contains(self) ? self | 32 : self }

  var isASCIILetter: Bool { (65...90).contains(self) || (97...122).contains(self) }

  var isASCIIDigit: Bool { (48...57).contains(self) }

  /// Whether a scheme can contain the byte after its first letter.
  fileprivate var isOfScheme: Bool { isASCIILetter || isASCIIDigit || "+-.".utf8.contains(self) }
}
