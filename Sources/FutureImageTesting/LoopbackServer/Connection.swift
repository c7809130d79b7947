import Foundation

extension LoopbackServer {
  /// One connection, from its acceptance to its end. It runs on one thread.
  final class Connection {
    enum End: Error {
      case hungUp
      case stopped
    }

    let socket: Socket
    let core: Core
    var parser: RequestParser
    var buffer = [UInt8](repeating: 0, count: 16 << 10)

    init(_ socket: Socket, number: Int, core: Core) {
      self.socket = socket
      self.core = core
      parser = RequestParser(connection: number)
    }

    /// Answers requests until one side ends the connection, then closes the socket.
    func serve() {
      // If the client hangs up or the server stops, closing the socket is enough.
      defer { socket.close() }
      try? answerRequests()
    }

    private func answerRequests() throws {
      do {
        while true {
          let request = try nextRequest()
          let answer = core.answer(to: request)
          let transmission = Transmission(answer, to: request)
          try send(transmission, as: answer)
          switch transmission.ending {
          case .keepAlive: continue
          case .close: return try closeInGoodOrder()
          case .reset: return socket.makeCloseReset()
          }
        }
      } catch let fault as RequestParser.Fault {
        try send(Transmission(refusing: fault).head)
        try closeInGoodOrder()
      }
    }

    private func nextRequest() throws -> Request {
      while true {
        if let request = try parser.next() { return request }
        try waitForSocket(.readable)
        try receive()
      }
    }
  }
}
