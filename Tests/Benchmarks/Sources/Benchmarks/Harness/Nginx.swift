import Foundation

/// An nginx on loopback with the files of one folder. The server stops when this object is deallocated or when the benchmark's process
/// ends.
final class Nginx: Sendable {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  private static let command = "/usr/sbin/nginx"

  private let process = Process()
  private let input = Pipe()
  private let port: Int

  init(serving files: URL, scratch: Scratch) throws {
    guard FileManager.default.isExecutableFile(atPath: Self.command) else {
      throw Failed(description: "there is no nginx; on Debian: sudo apt-get install nginx-light")
    }
    let folder = scratch.folder()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try Self.freePort()
    let configuration = """
      daemon off;
      master_process off;
      pid nginx.pid;
      error_log stderr crit;
      worker_rlimit_nofile 4096;
      events { worker_connections 1024; }
      http {
        access_log off;
        client_body_temp_path temporary; proxy_temp_path temporary; fastcgi_temp_path temporary;
        uwsgi_temp_path temporary; scgi_temp_path temporary;
        types { image/jpeg jpg; }
        sendfile on;
        tcp_nopush on;
        keepalive_requests 10000000;
        server { listen 127.0.0.1:\(port); root "\(files.path(percentEncoded: false))"; }
      }
      """
    try configuration.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
    process.executableURL = URL(filePath: "/bin/sh")
    // The shell waits until the system closes the pipe, and then ends nginx. The system closes the pipe even if this process is killed.
    process.arguments = [
      "-c", "\(Self.command) -p \"$0/\" -c nginx.conf -e stderr & read end; kill -9 $!", folder.path(percentEncoded: false)
    ]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try waitForPort()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func url(_ name: String) throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)/\(name)") else { throw Failed(description: "\(name) makes no URL") }
    return url
  }

  private func waitForPort() throws {
    for _ in 0..<500 {
      if Self.withSocket({ Self.call(connect, $0, port) }) == 0 { return }
      usleep(10_000)
    }
    throw Failed(description: "nginx does not listen")
  }

  /// Returns a port that the system chooses. No other program is likely to take it before nginx does.
  private static func freePort() throws -> Int {
    let port = withSocket { socket -> Int in
      guard call(bind, socket, 0) == 0 else { return 0 }
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      // `getsockname` writes a `sockaddr_in`, because the socket is an `AF_INET` socket.
      let status = withUnsafeMutableBytes(of: &address) {
        getsockname(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
      }
      return status == 0 ? Int(UInt16(bigEndian: address.sin_port)) : 0
    }
    guard port > 0 else { throw Failed(description: "the system has no port left") }
    return port
  }

  private static func withSocket<Result>(_ body: (Int32) -> Result) -> Result {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return body(descriptor)
  }

  private static func call(_ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ socket: Int32, _ port: Int) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    // `bind` and `connect` read the memory as a `sockaddr_in`, because `sin_family` is `AF_INET`.
    return withUnsafeBytes(of: &address) {
      function(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
