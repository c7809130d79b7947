import Foundation

/// A blocking TCP client that reports every byte that it receives, and whether the connection ends gracefully or by a reset.
///
/// A read that receives nothing for 20 seconds fails with EAGAIN, so a broken server fails a test instead of hanging it.
final class RawClient {
  struct Fault: Error, Equatable {
    let code: Int32
  }

  private let descriptor: Int32
  private var pending = Data()

  init(_ server: URL) throws {
    #if canImport(Darwin)
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(server.port ?? 0).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // connect takes a sockaddr for every address family, and reads it as a sockaddr_in if the family is AF_INET.
    let result = withUnsafeBytes(of: address) { connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, size) }
    if result != 0 { throw Fault(code: errno) }
  }

  deinit {
    close(descriptor)
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Foundation.send(descriptor, bytes, bytes.count, 0)
  }

  /// Sends a request without a body. Pass header lines without line ends.
  func get(_ path: String, _ headers: String..., method: String = "GET") {
    send("\(method) \(path) HTTP/1.1\r\nHost: test\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n")
  }

  /// Returns the bytes of the next read, or no bytes if the connection has ended gracefully.
  func read() throws -> Data {
    if !pending.isEmpty {
      defer { pending = Data() }
      return pending
    }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0 { throw Fault(code: errno) }
    return Data(buffer[..<count])
  }

  /// Returns exactly the given number of bytes.
  func read(_ byteCount: Int) throws -> Data {
    var data = Data()
    while data.count < byteCount {
      let more = try read()
      if more.isEmpty { throw Fault(code: 0) }
      data += more
    }
    pending = Data(data.dropFirst(byteCount))
    return data.prefix(byteCount)
  }

  /// Returns all bytes until the connection ends, and the error number, which is 0 if the connection ends gracefully.
  func readToEnd() -> (data: Data, code: Int32) {
    var data = Data()
    do {
      while true {
        let more = try read()
        if more.isEmpty { return (data, 0) }
        data += more
      }
    } catch {
      return (data, (error as? Fault)?.code ?? -1)
    }
  }

  /// Returns the status line and the header lines, and the empty line after them.
  func readHead() throws -> String {
    var data = Data()
    while !data.suffix(4).elementsEqual("\r\n\r\n".utf8) { data += try read(1) }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the head of a response, and a body of the length that its Content-Length field declares.
  func readResponse() throws -> (head: String, body: Data) {
    let head = try readHead()
    let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }?.split(separator: " ").last
    return (head, try read(length.flatMap { Int($0) } ?? 0))
  }
}
