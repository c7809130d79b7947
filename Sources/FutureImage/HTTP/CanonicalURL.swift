/// The canonical spelling of a URL, which all equivalent spellings share, by RFC 3986, section 6.2. Scheme and host are in lowercase.
/// Escapes are in uppercase, and unneeded escapes are decoded. Dot segments are resolved, and an empty path becomes "/". Unescaped Unicode
/// is escaped. The default port, the fragment, the user, and the password are removed.
///
/// | URL | text | credentials |
/// | --- | --- | --- |
/// | `HTTP://Example.COM:80/%7ea/./b/../c?q#f` | `http://example.com/~a/c?q` | |
/// | `https://ann:secret@example.com` | `https://example.com/` | `ann:secret` |
/// | `https://example.com/ä` | `https://example.com/%C3%A4` | |
struct CanonicalURL: Equatable {
  var scheme = ""
  /// The host, with the port unless it is the scheme's default; empty if the URL has no host.
  var host = ""
  var text = ""
  var credentials = ""

  /// Returns the host of the URL, in less time than the initializer needs for all parts.
  static func host(of url: URL) -> String {
    let string = url.absoluteString
    if isData(string) { return "" }
    return partsIfPlain(string).map { String(string.hostBytes($0)) } ?? CanonicalURL(rewriting: string).host
  }

  /// Whether the URL is plain: an `http` or `https` URL with a host, already in its canonical spelling. Nearly all such URLs are plain.
  static func isPlain(_ url: URL) -> Bool { isPlain(url.absoluteString) }

  /// Whether the text is a plain URL, so that it needs no change.
  static func isPlain(_ text: String) -> Bool { partsIfPlain(text) != nil }

  init(_ url: URL) {
    self.init(url.absoluteString)
  }

  /// Whether the URL is a `data` URL, whose text may be megabytes long.
  static func isData(_ url: URL) -> Bool { isData(url.absoluteString) }

  private static func isData(_ string: String) -> Bool { string.utf8.prefix(5).map(\.lowercased).elementsEqual("data:".utf8) }

  /// Whether the URL is a `data` URL of more than 256 KiB. Computing its digest would block the caller, often the main thread, for many
  /// milliseconds. So the URL gets no digest, and is never recognized as equal to another URL.
  static func isLongData(_ url: URL) -> Bool { url.absoluteString.utf8.count > 256 << 10 && isData(url) }

  init(_ string: String) {
    guard let parts = partsIfPlain(string) else {
      self.init(rewriting: string)
      return
    }
    // The text shares the string's storage, so that a hundred thousand models need no copies.
    self.init(plain: string, parts)
  }

  private init(plain string: String, _ parts: PlainParts) {
    scheme = parts.schemeEnd == 4 ? "http" : "https"
    host = String(string.hostBytes(parts))
    text = string
  }

  /// Rewrites the string without checking whether that is necessary.
  init(rewriting string: String) {
    if Self.isData(string) {
      // Only the scheme is rewritten, so the text nearly always shares the string's storage.
      scheme = "data"
      text = string.utf8.starts(with: "data:".utf8) ? string : "data:" + string.dropFirst("data:".count)
      return
    }
    var parts = URLParts(string.utf8)
    if string.utf8.first == UInt8(ascii: ":") {
      // This text was made below from a URL without a scheme.
      parts.path.removeFirst()
      if parts.path.starts(with: "//".utf8) { parts.moveAuthority(slashes: 2) }
    }
    scheme = parts.scheme
    guard let authority = parts.authority else {
      // The rest of an http URL without "//" is removed, because it may contain a password.
      guard !["http", "https"].contains(scheme) else {
        text = scheme + ":"
        return
      }
      let query = parts.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
      text = scheme + ":" + String(decoding: parts.path, as: UTF8.self) + query
      return
    }
    take(authority)
    var path = normalized(parts.path)
    if path.contains(UInt8(ascii: ".")) { path = URLParts.withoutDotSegments(path) }
    if path.isEmpty { path = [UInt8(ascii: "/")] }
    let query = parts.query.map { [UInt8(ascii: "?")] + normalized($0) } ?? []
    text = scheme + "://" + host + String(decoding: path + query, as: UTF8.self)
  }

  private mutating func take(_ authority: URLParts.Authority) {
    credentials = authority.userinfo.map { String(decoding: $0, as: UTF8.self) } ?? ""
    host = String(decoding: normalized(normalized(authority.host).map(\.lowercased)[...]), as: UTF8.self)
    guard let digits = authority.port, !digits.isEmpty else { return }
    let port = String(decoding: digits, as: UTF8.self)
    if (scheme, port) != ("http", "80"), (scheme, port) != ("https", "443") { host += ":" + port }
  }
}

extension CanonicalURL {
  /// Parts of the names of query items whose values are secrets, such as the signatures in URLs of object stores and content networks.
  private static let secretNames = [
    "token", "sig", "secret", "passw", "pwd", "auth", "credential", "apikey", "api_key", "api-key", "session"
  ]

  /// The text, with a digest in place of each value that looks like a secret. Texts with different values still differ.
  var redacted: String {
    guard hasQuery, let question = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return text }
    let query = text[text.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false).map { item in
      let parts = item.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, Self.isSecret(parts[0]) else { return String(item) }
      return "\(parts[0])=~" + SHA256.hex(of: Data(parts[1].utf8)).prefix(16)
    }
    return text[...question] + query.joined(separator: "&")
  }

  // This check is several times as fast as a search for the index, and nearly all URLs have no query.
  private var hasQuery: Bool {
    text.utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: "?")) } ?? true
  }

  private static func isSecret(_ name: Substring) -> Bool {
    let name = name.lowercased()
    return name == "key" || secretNames.contains { name.contains($0) }
  }
}

private typealias PlainParts = (schemeEnd: Int, hostEnd: Int)

extension String {
  fileprivate func hostBytes(_ parts: PlainParts) -> Substring {
    self[utf8.index(startIndex, offsetBy: parts.schemeEnd + 3)..<utf8.index(startIndex, offsetBy: parts.hostEnd)]
  }
}

/// Returns the ends of the scheme and the host of a plain URL. A plain URL is already canonical, and ``URLText`` does not change it.
/// Returns nil for a URL that may need to be rewritten. Nearly all URLs are plain, and reading them is five times as fast as rewriting
/// them.
private func partsIfPlain(_ string: String) -> PlainParts? {
  let table = plainBytes
  return string.utf8.withContiguousStorageIfAvailable { bytes -> PlainParts? in
    let scheme = bytes.begin(with: "http://") ? 4 : bytes.begin(with: "https://") ? 5 : 0
    guard scheme > 0 else { return nil }
    var index = scheme + 3
    while index < bytes.count, bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: ":") {
      guard table[Int(bytes[index])] & 1 != 0 else { return nil }
      index += 1
    }
    guard index > scheme + 3, index < bytes.count else { return nil }
    if bytes[index] == UInt8(ascii: ":") {
      let port = bytes[(index + 1)...].prefix { (48...57).contains($0) }
      guard isPlainPort(port), !port.elementsEqual(scheme == 4 ? "80".utf8 : "443".utf8) else { return nil }
      index = port.endIndex
      guard index < bytes.count, bytes[index] == UInt8(ascii: "/") else { return nil }
    }
    let hostEnd = index
    var isPath = true
    while index < bytes.count {
      let byte = bytes[index]
      guard table[Int(byte)] & 2 != 0 else { return nil }
      // This may be a dot segment.
      if isPath, byte == UInt8(ascii: "."), bytes[index - 1] == UInt8(ascii: "/") { return nil }
      if byte == UInt8(ascii: "?") { isPath = false }
      index += 1
    }
    return (scheme, hostEnd)
  } ?? nil
}

/// Whether the digits are the number of a port, without leading zeros.
private func isPlainPort(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
  guard 1...5 ~= digits.count, digits.first != UInt8(ascii: "0") else { return false }
  return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= UInt16.max
}

/// The flags of each byte: 1 if a lowercase host may contain it, 2 if it never needs an escape after the host. The percent sign has neither
/// flag.
private let plainBytes: [UInt8] = (0...255).map { (byte: UInt8) in
  // The numbers 45 and 46 are the characters - and . in ASCII. The bytes that need an escape include " # % ' < > [ \ ] ^ ` { | }
  let inHost = (48...57).contains(byte) || (97...122).contains(byte) || [45, 46].contains(byte)
  let needsEscape = byte <= 32 || byte >= 127 || [34, 35, 37, 39, 60, 62, 91, 92, 93, 94, 96, 123, 124, 125].contains(byte)
  return (inHost ? 1 : 0) | (needsEscape ? 0 : 2)
}

extension UnsafeBufferPointer<UInt8> {
  // Runs for every future, and is faster than Sequence's own `starts(with:)`, which uses two iterators.
  fileprivate func begin(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] { return false }
    return true
  }
}

private func isUnreserved(_ byte: UInt8) -> Bool {
  byte.isASCIILetter || byte.isASCIIDigit || [45, 46, 95, 126].contains(byte)  // - . _ ~
}

private let hexDigits = Array("0123456789ABCDEF".utf8)

/// Returns the bytes with uniform escapes. Escapes of unreserved characters are decoded, other escapes are written in uppercase, and bytes
/// that are not allowed in a URL are escaped. A percent sign that begins no escape is itself escaped.
private func normalized(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  var out: [UInt8] = []
  out.reserveCapacity(bytes.count)
  func escape(_ byte: UInt8) { out += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]] }
  var index = bytes.startIndex
  while index < bytes.endIndex {
    let byte = bytes[index]
    if byte == UInt8(ascii: "%") {
      if index + 2 < bytes.endIndex, let high = bytes[index + 1].hexDigit, let low = bytes[index + 2].hexDigit {
        let value = high << 4 | low
        if isUnreserved(value) { out.append(value) } else { escape(value) }
        index += 3
        continue
      }
      escape(byte)
    } else if byte <= 32 || byte >= 127 || [34, 60, 62, 92, 94, 96, 123, 124, 125].contains(byte) {  // " < > \ ^ ` { | }
      escape(byte)
    } else {
      out.append(byte)
    }
    index += 1
  }
  return out
}
