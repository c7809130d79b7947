import Foundation

extension LoopbackServer {
  /// A nonblocking TCP socket. Its creator must close it. A copy refers to the same socket.
  struct Socket: Sendable {
    enum Interest {
      case readable
      case writable
      case nothing
    }

    enum Wake: Equatable {
      /// The socket is ready, or in an error state that the next call reports.
      case ready
      case deadline
      /// The latch with this index is raised.
      case latch(Int)
    }

    enum Transfer: Equatable {
      case bytes(Int)
      case wouldBlock
      /// The other side has closed or reset the connection.
      case ended
    }

    let descriptor: Int32

    /// Blocks the thread until the socket is ready, the deadline passes, or a latch is raised. Latches take precedence.
    func wait(for interest: Interest, until deadline: ContinuousClock.Instant? = nil, or latches: [Latch]) -> Wake {
      // `poll` ignores negative descriptors.
      var entries = [pollfd(fd: interest == .nothing ? -1 : descriptor, events: interest.events, revents: 0)]
      entries += latches.map { pollfd(fd: $0.readEnd, events: Interest.readable.events, revents: 0) }
      while true {
        let count = poll(&entries, nfds_t(entries.count), Self.milliseconds(until: deadline))
        if count > 0 {
          let raised = latches.indices.first { entries[$0 + 1].revents != 0 }
          return raised.map(Wake.latch) ?? .ready
        }
        if count < 0, errno != EINTR { return .ready }
        if count == 0, let deadline, deadline <= .now { return .deadline }
      }
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
      // The pointer and its count belong to one buffer, which the caller retains for the duration of the call.
      Self.transfer { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
      // The pointer and its count belong to one buffer, which the caller retains for the duration of the call.
      Self.transfer { Foundation.send(descriptor, bytes.baseAddress, bytes.count, quietSendFlags) }
    }

    /// Signals to the client that no more bytes follow. The client may still send.
    func finishSending() {
      shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes `close()` reset the connection instead of ending it gracefully. Closing then discards bytes that are not sent yet.
    func makeCloseReset() {
      set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    /// Makes the socket send small answers at once instead of waiting for more bytes to fill a packet.
    func disableDelay() {
      set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    }

    func close() {
      Foundation.close(descriptor)
    }

    private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) {
      // The option's value has a C type without references, and the call reads it before it returns.
      withUnsafeBytes(of: value) { _ = setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) }
    }

    private static func transfer(_ call: () -> Int) -> Transfer {
      while true {
        let count = call()
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended }
        switch errno {
        case EINTR: continue
        case EAGAIN, EWOULDBLOCK: return .wouldBlock
        default: return .ended
        }
      }
    }

    /// Returns the timeout for `poll` in milliseconds, rounded up; -1 means forever. The result is at most a billion, so that it fits into
    /// 32 bits. After such a timeout, `wait` calls `poll` again.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
      guard let deadline else { return -1 }
      let rest = max(.zero, ContinuousClock.now.duration(to: deadline)).components
      guard rest.seconds < 1_000_000 else { return 1_000_000_000 }
      return Int32(rest.seconds * 1_000 + (rest.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  }
}

extension LoopbackServer.Socket.Interest {
  fileprivate var events: Int16 {
    switch self {
    case .readable: Int16(POLLIN)
    case .writable: Int16(POLLOUT)
    case .nothing: 0
    }
  }
}

extension LoopbackServer {
  /// The failure of a system call that the server needs to start.
  public struct Failure: Swift.Error, Equatable, CustomStringConvertible {
    /// The system call that failed.
    public let call: String
    /// The value of `errno`.
    public let code: Int32

    public var description: String {
      "LoopbackServer cannot start because the system provides no socket. End other servers and try again "
        + "(\(call): \(String(cString: strerror(code))))."
    }
  }
}
