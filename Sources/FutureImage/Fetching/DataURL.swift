/// What a `data:` URL holds: `data:[media type][;base64],bytes` (RFC 2397).
struct DataURL {
  let mediaType: String
  let data: Data

  /// - Throws: ``FutureImage/Failure``: `.refused` for another scheme, `.malformed` for what cannot be decoded.
  init(_ url: URL) throws {
    guard url.scheme?.lowercased() == "data" else { throw FutureImage.Failure(.refused("its scheme is not data")) }
    // A fragment is no part of the content.
    let text = url.absoluteString.utf8.dropFirst("data:".utf8.count).prefix { $0 != UInt8(ascii: "#") }
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else {
      throw FutureImage.Failure(.malformed("the data URL has no comma"))
    }
    let header = String(decoding: try Self.removePercentEncoding(text[..<comma]), as: UTF8.self)
    let body = try Self.removePercentEncoding(text[text.index(after: comma)...])

    let suffix = ";base64"
    let isBase64 = header.lowercased().hasSuffix(suffix)
    let type = isBase64 ? String(header.dropLast(suffix.count)) : header
    mediaType = type.isEmpty ? "text/plain;charset=US-ASCII" : type.hasPrefix(";") ? "text/plain" + type : type
    data = isBase64 ? try Self.decodeBase64(body) : body
  }

  private static func removePercentEncoding(_ text: Substring.UTF8View) throws -> Data {
    guard text.contains(UInt8(ascii: "%")) else { return Data(text) }
    var data = Data(capacity: text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        data.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
        throw FutureImage.Failure(.malformed("the data URL has a broken percent escape"))
      }
      data.append(high << 4 | low)
    }
    return data
  }

  private static func decodeBase64(_ text: Data) throws -> Data {
    var text = text.filter { $0 != 32 && !(9...13).contains($0) }
    let padding = UInt8(ascii: "=")
    if text.count % 4 == 0 {
      for _ in 0..<2 where text.last == padding { text.removeLast() }
    }
    // One character left over would be six bits of a byte.
    guard text.count % 4 != 1, !text.contains(padding) else {
      throw FutureImage.Failure(.malformed("the base64 of the data URL has a wrong length"))
    }
    text.append(contentsOf: repeatElement(padding, count: (4 - text.count % 4) % 4))
    guard let data = Data(base64Encoded: text) else {
      throw FutureImage.Failure(.malformed("the data URL is not base64"))
    }
    return data
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
