#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

/// The state of the sockets of a fetcher's connections.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlSocketsTests {
  static let families = [AF_INET, AF_INET6].filter { LocalConnection($0) != nil }

  @Test(arguments: families) func `a socket is found by the addresses and ports of its connection until the socket is closed`(family: Int32)
    throws
  {
    let connection = try #require(LocalConnection(family))
    let sockets = CurlSockets()
    var others = connection.ends
    others.ownPort += 1
    #expect(sockets.socket(of: connection.ends) == nil)
    sockets.opened(connection.client)
    #expect(sockets.socket(of: others) == nil)
    #expect(sockets.socket(of: connection.ends) == connection.client)
    #expect(sockets.socket(of: connection.ends) == connection.client)
    sockets.closed(connection.client)
    #expect(sockets.socket(of: connection.ends) == nil)
  }

  @Test func `unrequested bytes are detected on a connection that has had an HTTP/1 response`() throws {
    let connection = try #require(LocalConnection(AF_INET))
    let sockets = CurlSockets()
    sockets.opened(connection.client)
    #expect(!sockets.isHTTP1(connection.client))
    connection.send(1)
    #expect(!sockets.hasUnaskedBytes(connection.client))

    sockets.noteHTTP1(connection.client)
    #expect(sockets.isHTTP1(connection.client))
    #expect(sockets.hasUnaskedBytes(connection.client))
    #expect(connection.receive() == 1)
    #expect(!sockets.hasUnaskedBytes(connection.client))
    connection.end()
    #expect(sockets.hasUnaskedBytes(connection.client))

    // A new socket may soon have the number of a closed socket.
    sockets.closed(connection.client)
    #expect(!sockets.isHTTP1(connection.client))
    sockets.opened(connection.client)
    #expect(!sockets.isHTTP1(connection.client))
  }
}

/// A connection of this computer to itself.
private final class LocalConnection {
  let client: Int32
  private let server: Int32
  let ends: CurlSockets.Ends

  /// - Parameter family: the address family. The result is nil if the system does not support it.
  init?(_ family: Int32) {
    let listener = Self.makeSocket(family)
    let client = Self.makeSocket(family)
    guard listener >= 0, client >= 0 else { return nil }
    defer { close(listener) }
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // A sockaddr_storage has room for the addresses of both families and is aligned for each. All calls accept a pointer to it as a pointer
    // to a sockaddr, with its size.
    let isConnected = withUnsafeMutableBytes(of: &address) { bytes -> Bool in
      guard let base = bytes.baseAddress else { return false }
      if family == AF_INET {
        let own = base.assumingMemoryBound(to: sockaddr_in.self)
        own.pointee.sin_family = sa_family_t(AF_INET)
        own.pointee.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      } else {
        let own = base.assumingMemoryBound(to: sockaddr_in6.self)
        own.pointee.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "::1", &own.pointee.sin6_addr)
      }
      let any = base.assumingMemoryBound(to: sockaddr.self)
      return bind(listener, any, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, any, &size) == 0
        && connect(client, any, size) == 0
    }
    guard isConnected else {
      close(client)
      return nil
    }
    let server = accept(listener, nil, nil)
    let host = family == AF_INET ? "127.0.0.1" : "::1"
    ends = CurlSockets.Ends(address: host, port: Self.port(of: server), ownAddress: host, ownPort: Self.port(of: client))
    self.client = client
    self.server = server
  }

  deinit {
    close(client)
    close(server)
  }

  private static func makeSocket(_ family: Int32) -> Int32 {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }

  private static func port(of socket: Int32) -> Int32 {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      // The proof above applies here, too. The addresses of both families have their port at the same offset.
      guard let base = bytes.baseAddress, getsockname(socket, base.assumingMemoryBound(to: sockaddr.self), &size) == 0 else { return 0 }
      return Int32(UInt16(bigEndian: base.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port))
    }
  }

  /// Sends a byte to the client, and returns when it has arrived.
  func send(_ byte: UInt8) {
    var byte = byte
    _ = Foundation.send(server, &byte, 1, Int32(MSG_NOSIGNAL))
    wait()
  }

  func receive() -> UInt8? {
    var byte: UInt8 = 0
    return recv(client, &byte, 1, 0) == 1 ? byte : nil
  }

  /// Ends the connection, and returns when the client can detect that.
  func end() {
    shutdown(server, Int32(SHUT_RDWR))
    wait()
  }

  private func wait() {
    var entry = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, -1)
  }
}
#endif
