import Foundation

extension LoopbackServer {
  /// A request as the server received it.
  public struct Request: Sendable, Equatable {
    /// The method as sent, such as `GET`.
    public var method: String
    /// The path as sent, including percent escapes and query.
    public var path: String
    /// All fields, in order.
    public var headers: Headers
    /// The body; empty without a `Content-Length`.
    public var body: Data
    /// The number of the request's connection, counted from 1 in the order of acceptance.
    public var connection: Int
    /// 0 for an HTTP/1.0 client, otherwise 1.
    var minorVersion = 1

    public init(method: String = "GET", path: String, headers: Headers = [:], body: Data = Data(), connection: Int = 1) {
      self.method = method
      self.path = path
      self.headers = headers
      self.body = body
      self.connection = connection
    }

    /// The path without its query.
    var barePath: String { String(path.prefix { $0 != "?" }) }

    var keepsAlive: Bool {
      minorVersion == 0 ? headers.lists("keep-alive", in: "Connection") : !headers.lists("close", in: "Connection")
    }
  }
}
