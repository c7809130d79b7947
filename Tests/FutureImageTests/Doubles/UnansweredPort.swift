import Foundation

/// A port of this computer that neither accepts nor refuses connections, because its queue is full.
final class UnansweredPort {
  let number: UInt16
  private var sockets: [Int32] = []

  struct Failure: Error {
    let code: Int32
  }

  init() throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let listener = try Self.makeSocket()
    sockets = [listener]
    let bound = Self.withAddress(&address) { bind(listener, $0, $1) }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
    }
    number = UInt16(bigEndian: address.sin_port)
    guard bound == 0, named == 0, listen(listener, 0) == 0 else { throw Failure(code: errno) }
    // Linux accepts one connection more than the queue's length, and then drops further requests.
    for _ in 0..<4 {
      let client = try Self.makeSocket()
      sockets.append(client)
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      _ = Self.withAddress(&address) { connect(client, $0, $1) }
    }
  }

  deinit {
    for socket in sockets { close(socket) }
  }

  private static func makeSocket() throws -> Int32 {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func withAddress(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
