// Requirements that HTTP fetchers share.
extension FutureImage.Request {
  /// Throws a `.refused` failure if the request cannot be sent over HTTP.
  func requireHTTP() throws {
    // A plain URL always has a web scheme and a host, and the check for it is five times as fast.
    if !CanonicalURL.isPlain(url) {
      guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
        throw FutureImage.Failure(.refused("its scheme is neither http nor https; check its URL"))
      }
      guard let host = url.host(percentEncoded: false), !host.isEmpty else {
        throw FutureImage.Failure(.refused("its URL has no host; check it"))
      }
    }
    // libcurl has this limit, which is longer than any server accepts.
    guard url.absoluteString.utf8.count <= Self.urlLimit else {
      throw FutureImage.Failure(.refused("its URL is longer than \(Self.urlLimit) bytes; shorten it"))
    }
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
        throw FutureImage.Failure(.refused("the header field name “\(name)” is not allowed in HTTP; use letters, digits and hyphens"))
      }
      // A line break would let the value of one field add another field.
      guard !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
        throw FutureImage.Failure(.refused("the value of its header field “\(name)” has a line break or a zero byte; remove it"))
      }
    }
  }

  /// Returns the fields to send. First are the request's own fields. The fields of `defaults`, and the default fields of all fetchers,
  /// follow if the request does not set them.
  func fields(defaults: [(name: String, value: String)] = []) -> [(name: String, value: String)] {
    var defaults = defaults + [("Accept", Self.accepted)]
    if headers.isEmpty { return defaults }
    // A part of a compressed body cannot be decompressed.
    if names("Range") { defaults = defaults.filter { $0.name != "Accept-Encoding" } + [("Accept-Encoding", "identity")] }
    return headers.map { ($0.key, $0.value) } + defaults.filter { !names($0.name) }
  }

  /// The default value of `Accept`. Servers that choose a format by this field send WebP or AVIF only if the field names that format.
  private static let accepted = (["image/avif", "image/webp"].filter(platformImageTypes.contains) + ["image/*", "*/*;q=0.8"])
    .joined(separator: ",")

  private static let urlLimit = 8_000_000

  /// Whether the request has a field of this name, ignoring case.
  func names(_ name: String) -> Bool {
    let name = name.lowercased()
    return headers.contains { $0.key.lowercased() == name }
  }

  /// Whether a token can contain the byte: RFC 9110, section 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
