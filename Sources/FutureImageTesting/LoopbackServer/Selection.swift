import Foundation

extension LoopbackServer {
  /// The response that the request's conditions and range select: the scripted response, 304, 206, or 416 (RFC 9110, 13.2.2).
  struct Selection {
    private(set) var head: ResponseHead
    private(set) var body: Data

    init(status: Int, headers: Headers, body: Data, of answer: Answer, for request: Request) {
      head = ResponseHead(status: status, headers: headers)
      self.body = body
      head.headers.setDefault("ETag", answer.validators.eTag)
      head.headers.setDefault("Last-Modified", answer.validators.lastModified)
      if answer.servesRanges { head.headers.setDefault("Accept-Ranges", "bytes") }

      guard status == 200, request.method == "GET" || request.method == "HEAD" else { return }
      // If the client already has the body, the response is a 304.
      if answer.validators.isHeld(by: request.headers) {
        selectNothing()
      } else if answer.servesRanges, request.method == "GET", answer.validators.allowRange(request.headers) {
        select(ByteRange(request.headers["Range"], of: body.count))
      }
    }

    private mutating func selectNothing() {
      head.status = 304
      body = Data()
      for name in ["Content-Length", "Content-Type", "Content-Encoding"] { head.headers[name] = nil }
    }

    private mutating func select(_ range: ByteRange) {
      switch range {
      case .whole:
        break
      case .part(let part):
        head.status = 206
        head.headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(body.count)"
        body = Data(body.dropFirst(part.lowerBound).prefix(part.count))
      case .unsatisfiable:
        head.status = 416
        head.headers["Content-Range"] = "bytes */\(body.count)"
        body = Data()
      }
    }
  }
}
