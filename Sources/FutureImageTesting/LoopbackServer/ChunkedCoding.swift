import Foundation

extension LoopbackServer {
  /// The chunked transfer coding (RFC 9112, 7.1).
  enum ChunkedCoding {
    /// - Parameters:
    ///   - sizes: the size of each chunk in bytes. The last size repeats until the body ends. If there are no sizes, the body is one chunk.
    ///   - isCut: whether to end halfway through the data of the last chunk, or with nothing if the body is empty.
    static func encode(_ body: Data, sizes: [Int], isCut: Bool) -> Data {
      var encoded = Data()
      var rest = body[...]
      var chunk = 0
      while !rest.isEmpty {
        let size = sizes.isEmpty ? rest.count : max(1, sizes[min(chunk, sizes.count - 1)])
        let data = rest.prefix(size)
        rest = rest.dropFirst(size)
        chunk += 1
        encoded += Data("\(String(data.count, radix: 16))\r\n".utf8)
        if isCut, rest.isEmpty { return encoded + data.prefix(data.count / 2) }
        encoded += data
        encoded += Data("\r\n".utf8)
      }
      if !isCut { encoded += Data("0\r\n\r\n".utf8) }
      return encoded
    }
  }
}
