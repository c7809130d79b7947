import Foundation

extension LoopbackServer.Socket {
  /// Returns a socket that listens on 127.0.0.1, and the port that the system chose.
  static func listening() throws -> (socket: Self, port: Int) {
    let socket = Self(descriptor: Foundation.socket(AF_INET, streamSocketType, 0))
    guard socket.descriptor >= 0 else { throw LoopbackServer.Failure(call: "socket", code: errno) }
    prepareDescriptor(socket.descriptor)
    do {
      return (socket, try socket.listen())
    } catch {
      socket.close()
      throw error
    }
  }

  /// Accepts the next waiting connection. If it returns nil, `errno` gives the reason.
  func accept() -> Self? {
    let accepted = Foundation.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    prepareDescriptor(accepted)
    if forbidSignals(accepted) { return Self(descriptor: accepted) }
    Foundation.close(accepted)
    return nil
  }

  private func listen() throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // `bind` and `getsockname` accept any type of address through a pointer to sockaddr. The address family and the size identify the type.
    let code: (call: String, result: Int32) = withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      if bind(descriptor, pointer, size) != 0 { return ("bind", errno) }
      if Foundation.listen(descriptor, 512) != 0 { return ("listen", errno) }
      if getsockname(descriptor, pointer, &size) != 0 { return ("getsockname", errno) }
      return ("", 0)
    }
    guard code.result == 0 else { throw LoopbackServer.Failure(call: code.call, code: code.result) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
