#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImage

@testable import FutureImageTesting

/// A real nginx on 127.0.0.1. Its process ends with this object, and with the test's process, however that ends.
///
/// It serves the files of a folder on every ``Front``, and under ``Place`` the same files in other ways.
final class NginxServer: Sendable {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: command) && TestAuthority.isInstalled

  private static let command = "/usr/sbin/nginx"

  struct Failure: Error {
    let lines: [String]
  }

  /// A way to reach the server. Each has its own port.
  enum Front: String, CaseIterable, Sendable {
    case http1, https1, http2
    /// Each connection is closed after 50 requests.
    case briefHTTP1, briefHTTPS1, briefHTTP2
    /// Two streams at a time.
    case narrowHTTP2

    var isEncrypted: Bool { self != .http1 && self != .briefHTTP1 }
    var isHTTP2: Bool { [.http2, .briefHTTP2, .narrowHTTP2].contains(self) }
  }

  /// The meaning of the first part of a path.
  enum Place: String, Sendable {
    /// Redirects to the file.
    case moved
    /// Redirects to the file by plain http.
    case downgraded
    /// Sends the file compressed.
    case gzip
    /// Sends 300 KB a second.
    case slow
    /// Closes the connection without an answer.
    case closed
    /// Forwards the request to another server, and its response as it arrives.
    case upstream
  }

  let authority: TestAuthority
  let log = Log()
  private let folder: URL
  private let ports: [Front: Int]
  private let process: Running

  /// - Parameter upstream: the port of the other server.
  init(serving files: URL, upstream: Int? = nil) throws {
    folder = Scratch.folder()
    try FileManager.default.createDirectory(at: folder.appending(path: "temporary"), withIntermediateDirectories: true)
    authority = try TestAuthority(in: folder)
    var attempt = 1
    while true {
      let ports = try Self.freePorts()
      try Self.configuration(ports: ports, files: files, upstream: upstream)
        .write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
      let process = try Running(in: folder, log)
      if log.waitForStart() {
        (self.ports, self.process) = (ports, process)
        return
      }
      process.end()
      // Another process may have taken a port since it was found.
      attempt += 1
      guard attempt <= 5 else { throw Failure(lines: log.lines) }
    }
  }

  /// Kills the process.
  func end() { process.end() }

  deinit {
    end()
    try? FileManager.default.removeItem(at: folder)
  }

  func url(_ name: String, _ place: Place? = nil, over front: Front) -> URL {
    let path = place.map { "\($0.rawValue)/\(name)" } ?? name
    return URL(string: "\(front.isEncrypted ? "https" : "http")://127.0.0.1:\(ports[front] ?? 0)/\(path)") ?? folder
  }

  private static func freePorts() throws -> [Front: Int] {
    // All ports are held until the last is found, so that no two are the same.
    let found = try Front.allCases.map { ($0, try LoopbackServer.Socket.listening()) }
    for (_, listener) in found { listener.socket.close() }
    return Dictionary(uniqueKeysWithValues: found.map { ($0, $1.port) })
  }
}

extension NginxServer {
  private struct Running: Sendable {
    private let process = Process()
    /// The process ends when this is closed.
    private let input = Pipe()

    init(in folder: URL, _ log: Log) throws {
      let output = Pipe()
      // The shell waits for the end of its input, which comes even if the tests' process is killed. It sends SIGKILL, because Foundation
      // starts programs with the signal mask of the calling thread, which blocks the other signals.
      let script = "\(NginxServer.command) -p \"$0/\" -c nginx.conf -e stderr & read end; kill -9 $!"
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", script, folder.path(percentEncoded: false)]
      process.standardInput = input
      process.standardOutput = output
      process.standardError = output
      try process.run()
      log.read(output.fileHandleForReading)
    }

    func end() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }
}
#endif
