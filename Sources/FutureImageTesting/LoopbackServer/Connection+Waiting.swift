import Foundation

extension LoopbackServer.Connection {
  /// The limit in bytes of further requests that the server receives while an answer waits. Beyond this limit, the server does not notice
  /// when the client hangs up.
  private static let pendingLimit = 1 << 20

  func wait(at gate: LoopbackServer.Gate) throws {
    if let latch = try gate.arrive() { try pause(until: nil, or: [latch]) }
  }

  /// Waits until the deadline passes or a latch is raised, and meanwhile checks that the client is still connected.
  ///
  /// The server cannot distinguish a client that only shuts down its sending side from a client that hangs up. It treats both the same.
  func pause(until deadline: ContinuousClock.Instant?, or latches: [LoopbackServer.Latch] = []) throws {
    while true {
      let interest: LoopbackServer.Socket.Interest = parser.pendingByteCount < Self.pendingLimit ? .readable : .nothing
      switch socket.wait(for: interest, until: deadline, or: [core.stopping] + latches) {
      case .ready: try receive()
      case .latch(0): throw End.stopped
      case .latch, .deadline: return
      }
    }
  }

  func waitForSocket(_ interest: LoopbackServer.Socket.Interest) throws {
    if socket.wait(for: interest, or: [core.stopping]) != .ready { throw End.stopped }
  }

  func receive() throws {
    switch buffer.withUnsafeMutableBytes(socket.receive) {
    case .bytes(let count): parser.append(buffer[..<count])
    case .wouldBlock: break
    case .ended: throw End.hungUp
    }
  }
}
