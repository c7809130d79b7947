#if !canImport(CoreGraphics)
import Foundation

@testable import FutureImage

/// A TCP server on 127.0.0.1. A closure handles each connection byte by byte, so a test can imitate behavior that no HTTP server has.
final class RawServer: Sendable {
  struct Failure: Error {
    let call: String
    let code: Int32
  }

  let url: URL
  private let listener: Int32
  private let connections = Lock<[RawConnection]>([])

  /// - Parameter play: runs on a separate thread for each connection. The connection closes when this closure returns.
  init(_ play: @escaping @Sendable (RawConnection) -> Void) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    // All three calls accept a pointer to a sockaddr_in as a sockaddr pointer, because the address family and the size identify the type.
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(descriptor, pointer, size) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, pointer, &size) == 0
    }
    guard isListening, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
      throw Failure(call: "listen", code: errno)
    }
    self.url = url
    let connections = connections
    Thread.detachNewThread {
      while true {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { break }
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        let connection = RawConnection(accepted, number: connections.withLock { $0.count })
        connections.withLock { $0.append(connection) }
        Thread.detachNewThread {
          play(connection)
          connection.finish()
        }
      }
      close(descriptor)
    }
  }

  deinit {
    // Ends the blocking calls of the listener's thread and of the connections' threads.
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in connections.withLock({ $0 }) { connection.stop() }
  }

  var connectionCount: Int { connections.withLock { $0.count } }
}

/// One connection of a ``RawServer``.
final class RawConnection: Sendable {
  /// The number of the connection, from 0.
  let number: Int
  /// The socket, or -1 once it is closed.
  private let descriptor: Lock<Int32>

  fileprivate init(_ descriptor: Int32, number: Int) {
    self.descriptor = Lock(descriptor)
    self.number = number
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Waits for the head of a request.
  /// - Returns: the head; nil if the client closes the connection.
  func readHead() -> String? {
    let descriptor = descriptor.withLock { $0 }
    var text = ""
    var byte: UInt8 = 0
    while !text.hasSuffix("\r\n\r\n") {
      guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }

  /// Waits for this many bytes.
  /// - Returns: the bytes; nil if the client closes the connection.
  func read(_ count: Int) -> [UInt8]? {
    let descriptor = descriptor.withLock { $0 }
    var bytes = [UInt8](repeating: 0, count: count)
    return count == 0 || recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }

  /// Waits for any bytes.
  func readSome() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    _ = recv(descriptor.withLock { $0 }, &bytes, bytes.count, 0)
  }

  /// Sends the bytes, and returns when the client's system has them.
  func write(_ bytes: some Sequence<UInt8>) {
    let descriptor = descriptor.withLock { $0 }
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = send(descriptor, Array(bytes[sent...]), bytes.count - sent, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return }
      sent += count
    }
    var left: Int32 = 1
    while ioctl(descriptor, UInt(TIOCOUTQ), &left) == 0, left > 0 {
      // If the client has closed the connection, `left` no longer decreases.
      var entry = pollfd(fd: descriptor, events: 0, revents: 0)
      if poll(&entry, 1, 0) != 0 { return }
      sched_yield()
    }
  }

  func write(_ text: String) { write(text.utf8) }

  /// Sends a response with status 200.
  func answer(_ body: some Collection<UInt8>) {
    write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
  }

  func answer(_ body: String) { answer(Array(body.utf8)) }

  /// Closes the connection with a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor.withLock { $0 }, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    finish()
  }

  func finish() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  fileprivate func stop() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
}
#endif
