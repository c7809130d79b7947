import Foundation
import FutureImage

extension LoopbackServer {
  /// A parser that turns bytes into requests (RFC 9112). The bytes may arrive in pieces of any size and contain any number of requests.
  struct RequestParser {
    /// The reason why a connection must end. The raw value is the status that reports it.
    enum Fault: Int, Error {
      case malformed = 400
      case bodyTooLarge = 413
      case headTooLarge = 431
      case unknownCoding = 501
    }

    /// The maximum size of the request line and the header fields, in bytes.
    static let headLimit = 64 << 10
    static let bodyLimit = 64 << 20

    private let connection: Int
    private var buffer: [UInt8] = []
    /// The number of the buffer's bytes that were already searched for the end of the head.
    private var searched = 0
    private var head: Head?

    private struct Head {
      var request: Request
      /// The size of the head, including its empty line.
      let byteCount: Int
      let bodyByteCount: Int
    }

    init(connection: Int = 1) {
      self.connection = connection
    }

    /// The number of received bytes that belong to no complete request yet.
    var pendingByteCount: Int { buffer.count }

    mutating func append(_ bytes: some Collection<UInt8>) {
      buffer += bytes
    }

    /// Returns the next request that has arrived completely.
    mutating func next() throws(Fault) -> Request? {
      if head == nil { head = try readHead() }
      guard let head, buffer.count >= head.byteCount + head.bodyByteCount else { return nil }
      var request = head.request
      let end = head.byteCount + head.bodyByteCount
      request.body = Data(buffer[head.byteCount..<end])
      buffer.removeFirst(end)
      searched = 0
      self.head = nil
      return request
    }

    private mutating func readHead() throws(Fault) -> Head? {
      // Skip empty lines before a request, because some clients end a body with an empty line (RFC 9112, 2.2).
      while buffer.starts(with: [13, 10]) { buffer.removeFirst(2) }
      let end = headEnd()
      guard (end ?? buffer.count) <= Self.headLimit else { throw .headTooLarge }
      guard let end else { return nil }

      let text = String(decoding: buffer[..<(end - 4)], as: UTF8.self)
      var lines = text.components(separatedBy: "\r\n")
      var request = try Self.request(line: lines.removeFirst(), connection: connection)
      for line in lines { request.headers.fields.append(try Self.field(line)) }
      guard request.headers["Transfer-Encoding"] == nil else { throw .unknownCoding }
      return Head(request: request, byteCount: end, bodyByteCount: try Self.bodyByteCount(request.headers))
    }

    /// The index after the first empty line.
    private mutating func headEnd() -> Int? {
      var index = max(3, searched)
      while index < buffer.count {
        if buffer[index] == 10, buffer[index - 1] == 13, buffer[index - 2] == 10, buffer[index - 3] == 13 { return index + 1 }
        index += 1
      }
      searched = buffer.count
      return nil
    }

    private static func request(line: String, connection: Int) throws(Fault) -> Request {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 3, !parts[0].isEmpty, parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else { throw .malformed }
      var request = Request(method: String(parts[0]), path: try path(target: String(parts[1])), connection: connection)
      request.minorVersion = parts[2] == "HTTP/1.0" ? 0 : 1
      return request
    }

    /// Returns the path of a target. The target is the path itself, or a whole URL from a client that uses this server as a proxy.
    private static func path(target: String) throws(Fault) -> String {
      if target.hasPrefix("/") || target == "*" { return target }
      guard let scheme = target.range(of: "://") else { throw .malformed }
      let rest = target[scheme.upperBound...]
      guard let slash = rest.firstIndex(of: "/") else { return "/" }
      return String(rest[slash...])
    }

    private static func field(_ line: String) throws(Fault) -> Headers.Field {
      guard let colon = line.firstIndex(of: ":") else { throw .malformed }
      let name = line[..<colon]
      guard !name.isEmpty, !name.contains(where: { $0 == " " || $0 == "\t" }) else { throw .malformed }
      return Headers.Field(name: String(name), value: line[line.index(after: colon)...].trimmingSpaces)
    }

    private static func bodyByteCount(_ headers: Headers) throws(Fault) -> Int {
      guard let text = headers["Content-Length"] else { return 0 }
      guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { throw .malformed }
      guard let count = Int(digits: text), count <= bodyLimit else { throw .bodyTooLarge }
      return count
    }
  }
}
