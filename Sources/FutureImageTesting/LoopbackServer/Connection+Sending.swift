import Foundation

extension LoopbackServer.Connection {
  /// Sends the bytes, with the pauses and the waits at gates that the answer specifies. Sends the head together with the first bytes of the
  /// body, unless a gate holds the whole body.
  func send(_ transmission: LoopbackServer.Transmission, as answer: LoopbackServer.Answer) throws {
    if answer.latency > .zero { try pause(until: .now + answer.latency) }
    if let gate = answer.gate { try wait(at: gate) }

    let bodyStart = transmission.head.count
    let bytes = transmission.head + transmission.body
    var hold = answer.hold.map { (at: bodyStart + min(max(0, $0.byteCount), transmission.body.count), gate: $0.gate) }
    var sent = 0
    while true {
      var end = bytes.count
      if let drip = answer.drip { end = min(end, max(sent, bodyStart) + min(drip.byteCount, end)) }
      if let hold { end = min(end, hold.at) }
      try send(bytes[sent..<end])
      sent = end

      if let reached = hold, reached.at == sent {
        hold = nil
        try wait(at: reached.gate)
      }
      if sent == bytes.count { return }
      if let drip = answer.drip { try pause(until: .now + drip.interval) }
    }
  }

  func send(_ bytes: Data) throws {
    try bytes.withUnsafeBytes { whole in
      // Do not use `rest` after the closure, because its pointer is valid only inside the closure.
      var rest = whole[...]
      while !rest.isEmpty {
        // Count the bytes before sending them and correct the count afterward, because bytes that a client has read must already be
        // counted.
        core.state.update { $0.log.send(rest.count) }
        let transfer = socket.send(UnsafeRawBufferPointer(rebasing: rest))
        let count = if case .bytes(let count) = transfer { count } else { 0 }
        if count < rest.count { core.state.update { $0.log.send(count - rest.count) } }
        switch transfer {
        case .bytes:
          rest = rest.dropFirst(count)
        case .wouldBlock:
          try waitForSocket(.writable)
        case .ended:
          throw End.hungUp
        }
      }
    }
  }

  /// Shuts down the sending side, then reads until the client has closed its sending side, for at most one second.
  ///
  /// If the socket is closed while bytes from the client are unread, the system sends a reset. The reset may reach the client before the
  /// answer (RFC 9112, 9.6).
  func closeInGoodOrder() throws {
    socket.finishSending()
    let deadline = ContinuousClock.now + .seconds(1)
    while deadline > .now, socket.wait(for: .readable, until: deadline, or: [core.stopping]) == .ready {
      if buffer.withUnsafeMutableBytes(socket.receive) == .ended { return }
    }
  }
}
