import Foundation

extension LoopbackServer.Connection {
  /// Bytes of further requests that are taken in while an answer waits. Beyond that the client's hang-up goes unseen.
  private static let pendingLimit = 1 << 20

  func wait(at gate: LoopbackServer.Gate) throws {
    if let latch = try gate.arrive() { try pause(until: nil, or: [latch]) }
  }

  /// Lets the time pass or a latch be raised, and meanwhile sees to it that the client is still there.
  ///
  /// A client that only ends its sending side looks the same as one that hung up, and is taken for it.
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
