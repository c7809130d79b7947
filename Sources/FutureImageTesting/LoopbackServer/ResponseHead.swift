import Foundation

extension LoopbackServer {
  /// A status line and header fields, and their bytes (RFC 9112, 4 and 5).
  struct ResponseHead: Equatable {
    var status: Int
    var headers: Headers

    /// Whether a body may follow. The statuses 1xx, 204, and 304 allow none.
    var allowsBody: Bool { status >= 200 && status != 204 && status != 304 }

    /// The encoded head. Names and values are sent unchanged, so an answer can break HTTP's rules here, too.
    var bytes: Data {
      var text = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\n"
      for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
      text += "\r\n"
      return Data(text.utf8)
    }

    private static let reasons = [
      200: "OK", 201: "Created", 204: "No Content", 206: "Partial Content",
      301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
      400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
      410: "Gone", 413: "Content Too Large", 416: "Range Not Satisfiable", 429: "Too Many Requests",
      431: "Request Header Fields Too Large",
      500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout"
    ]
  }
}
