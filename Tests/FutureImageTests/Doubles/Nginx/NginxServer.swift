#if !canImport(CoreGraphics)
import Foundation
import FutureImage

@testable import FutureImageTesting

/// A real nginx on 127.0.0.1. Its process ends when this object is released, or when the test process ends for any reason.
///
/// The server delivers the files of a folder on every ``Front``. If a path starts with a ``Location``, the server responds as that location
/// describes.
final class NginxServer: Sendable {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: command) && TestAuthority.isInstalled

  private static let command = "/usr/sbin/nginx"

  struct Failure: Error {
    let lines: [String]
  }

  /// A version of HTTP, with or without TLS, and in some cases with a limit. The server has a separate port for each front.
  enum Front: String, CaseIterable, Sendable {
    case http1, https1, http2
    /// The server closes each connection after 50 requests.
    case briefHTTP1, briefHTTPS1, briefHTTP2
    /// A connection has at most two streams at a time.
    case narrowHTTP2

    var isEncrypted: Bool { self != .http1 && self != .briefHTTP1 }
    var isHTTP2: Bool { [.http2, .briefHTTP2, .narrowHTTP2].contains(self) }
  }

  /// The first component of a path, which selects how the server responds.
  enum Location: String, Sendable {
    /// Redirects to the file.
    case moved
    /// Redirects to the file over plain http.
    case downgraded
    /// Sends the file compressed.
    case gzip
    /// Sends 300 KB a second.
    case slow
    /// Closes the connection without an answer.
    case closed
    /// Forwards the request to another server, and forwards the response while it arrives.
    case upstream
  }

  let authority: TestAuthority
  let log = Log()
  private let folder: URL
  private let ports: [Front: Int]
  private let process: RunningProcess

  /// - Parameter upstream: the port of the server to which ``Location/upstream`` forwards requests.
  init(serving files: URL, upstream: Int? = nil) throws {
    folder = Scratch.folder()
    try FileManager.default.createDirectory(at: folder.appending(path: "temporary"), withIntermediateDirectories: true)
    authority = try TestAuthority(in: folder)
    var attempt = 1
    while true {
      let ports = try Self.freePorts()
      try Self.configuration(ports: ports, files: files, upstream: upstream)
        .write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
      let process = try RunningProcess(in: folder, log)
      if log.waitForStart() {
        (self.ports, self.process) = (ports, process)
        return
      }
      process.end()
      // Another process may have taken a port after `freePorts` found it.
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

  func url(_ name: String, _ location: Location? = nil, over front: Front) -> URL {
    let path = location.map { "\($0.rawValue)/\(name)" } ?? name
    return URL(string: "\(front.isEncrypted ? "https" : "http")://127.0.0.1:\(ports[front] ?? 0)/\(path)") ?? folder
  }

  private static func freePorts() throws -> [Front: Int] {
    // All ports stay open until the last port is found, so that no two ports are the same.
    let found = try Front.allCases.map { ($0, try LoopbackServer.Socket.listening()) }
    for (_, listener) in found { listener.socket.close() }
    return Dictionary(uniqueKeysWithValues: found.map { ($0, $1.port) })
  }
}

extension NginxServer {
  private struct RunningProcess: Sendable {
    private let process = Process()
    /// The standard input of the shell, which ends nginx when this pipe is closed.
    private let input = Pipe()

    init(in folder: URL, _ log: Log) throws {
      let output = Pipe()
      // The shell waits for the end of its input, and then kills nginx. The input also ends if the test process is killed. The shell sends
      // SIGKILL, because Foundation starts programs with the signal mask of the calling thread, which blocks the other signals.
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
