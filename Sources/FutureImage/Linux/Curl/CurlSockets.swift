#if canImport(CCurl) && !canImport(UIKit)
import CCurl

/// The sockets of a ``CurlLoop``'s connections. Before a connection is reused, its socket is checked for unsolicited bytes. Used on the
/// loop's thread only.
///
/// libcurl reports the socket of an exchange only after the exchange has ended (curl issue 5299). But it reports the addresses and ports of
/// a connection before it sends the request.
final class CurlSockets {
  /// The addresses and ports of both ends, which identify a connection.
  struct Ends: Hashable {
    var address: String
    var port: Int32
    var ownAddress: String
    var ownPort: Int32
  }

  private struct Entry {
    var ends: Ends?
    /// Whether an HTTP/1 response arrived on the connection.
    var isHTTP1 = false
  }

  private var entries: [Int32: Entry] = [:]
  private var sockets: [Ends: Int32] = [:]

  /// Records a new socket. Programs that the app starts do not inherit the socket. Otherwise, they would leave the connection open after
  /// the app has closed the socket.
  func opened(_ socket: Int32) {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    entries[socket] = Entry()
  }

  func closed(_ socket: Int32) {
    if let ends = entries.removeValue(forKey: socket)?.ends, sockets[ends] == socket { sockets[ends] = nil }
  }

  /// Returns the socket of a connection; nil if libcurl did not report that it opened the socket.
  func socket(of ends: Ends) -> Int32? {
    if let known = sockets[ends] { return known }
    // Only the sockets of new connections have no ends yet.
    for (socket, entry) in entries where entry.ends == nil && Ends(of: socket) == ends {
      entries[socket]?.ends = ends
      sockets[ends] = socket
      return socket
    }
    return nil
  }

  /// Whether a response has shown that the connection uses HTTP/1.
  func isHTTP1(_ socket: Int32) -> Bool { entries[socket]?.isHTTP1 == true }

  /// Records that an HTTP/1 response arrived on the connection.
  func noteHTTP1(_ socket: Int32) { entries[socket]?.isHTTP1 = true }

  /// Whether anything has arrived on a connection since the response to its last request: an unsolicited response, or the end of the
  /// connection.
  ///
  /// With TLS, too, any byte counts. A server sends its session tickets without a request, but before its first response, so libcurl has
  /// already read them. On an HTTP/2 connection, nothing counts, because servers send frames at any time, and each frame names its stream.
  func hasUnaskedBytes(_ socket: Int32) -> Bool {
    guard isHTTP1(socket) else { return false }
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }
}

extension CurlSockets.Ends {
  /// Reads the ends of a connected socket; nil if the system does not know them.
  fileprivate init?(of socket: Int32) {
    guard let (address, port) = Self.name(socket, getpeername), let (ownAddress, ownPort) = Self.name(socket, getsockname) else {
      return nil
    }
    self.init(address: address, port: port, ownAddress: ownAddress, ownPort: ownPort)
  }

  private typealias Call = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

  private static func name(_ socket: Int32, _ call: Call) -> (String, Int32)? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    // A sockaddr_storage has room for every address and is aligned for every address. Its family shows which kind of address it contains.
    let port: UInt16? = withUnsafeMutableBytes(of: &storage) { bytes in
      guard let base = bytes.baseAddress, call(socket, base.assumingMemoryBound(to: sockaddr.self), &size) == 0 else { return nil }
      switch Int32(base.assumingMemoryBound(to: sockaddr.self).pointee.sa_family) {
      case AF_INET:
        let address = base.assumingMemoryBound(to: sockaddr_in.self)
        guard inet_ntop(AF_INET, &address.pointee.sin_addr, &text, socklen_t(text.count)) != nil else { return nil }
        return address.pointee.sin_port
      case AF_INET6:
        let address = base.assumingMemoryBound(to: sockaddr_in6.self)
        guard inet_ntop(AF_INET6, &address.pointee.sin6_addr, &text, socklen_t(text.count)) != nil else { return nil }
        return address.pointee.sin6_port
      default: return nil
      }
    }
    guard let port else { return nil }
    return (String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self), Int32(UInt16(bigEndian: port)))
  }
}
#endif
