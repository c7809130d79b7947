import Foundation

extension LoopbackServer {
  /// The bytes of an answer to one request, and the treatment of the connection after them. This type only computes; it sends nothing.
  struct Transmission: Equatable {
    enum Ending {
      case keepAlive
      case close
      case reset
    }

    private(set) var head = Data()
    private(set) var body = Data()
    private(set) var ending = Ending.close

    init(_ answer: Answer, to request: Request) {
      switch answer.content {
      case .raw(let bytes):
        body = bytes
      case .response(let status, let headers, let content):
        let selection = Selection(status: status, headers: headers, body: content, of: answer, for: request)
        frame(selection, as: answer.framing, for: request)
      }
      breakOff(answer.breakOff)
    }

    /// Creates the answer to bytes that are not a valid request.
    init(refusing fault: RequestParser.Fault) {
      head = ResponseHead(status: fault.rawValue, headers: ["Content-Length": "0", "Connection": "close"]).bytes
    }

    private mutating func frame(_ selection: Selection, as framing: Answer.Framing, for request: Request) {
      var head = selection.head
      var staysOpen = request.keepsAlive && !head.headers.lists("close", in: "Connection")
      if head.allowsBody {
        body = selection.body
        switch framing {
        case .contentLength:
          if head.headers["Transfer-Encoding"] == nil { head.headers.setDefault("Content-Length", String(body.count)) }
          // If the answer's own header states another length, the connection is closed, because the client could not find the beginning of
          // the next answer.
          staysOpen = staysOpen && head.headers["Content-Length"] == String(body.count)
        case .declared(let length):
          head.headers["Content-Length"] = length
          staysOpen = staysOpen && length == String(body.count)
        case .chunked(let sizes, let isCut):
          head.headers["Transfer-Encoding"] = "chunked"
          body = ChunkedCoding.encode(body, sizes: sizes, isCut: isCut)
          staysOpen = staysOpen && !isCut
        case .untilClose:
          staysOpen = false
        }
      }
      if !request.keepsAlive { head.headers.setDefault("Connection", "close") }
      if request.method == "HEAD" { body = Data() }
      self.head = head.bytes
      ending = staysOpen ? .keepAlive : .close
    }

    private mutating func breakOff(_ breakOff: Answer.Break?) {
      switch breakOff {
      case nil:
        break
      case .truncated(let byteCount):
        body = body.prefix(max(0, byteCount))
        ending = .close
      case .reset(let byteCount):
        body = body.prefix(max(0, byteCount))
        ending = .reset
      }
    }
  }
}
