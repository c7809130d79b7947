#if !canImport(CoreGraphics)
import Foundation

/// An https server on 127.0.0.1, run by the `openssl` command. A fetcher trusts the server's certificate only if the configuration of the
/// fetcher contains it. The server ends after nine connections.
final class OpenSSLServer {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: command)

  private static let command = "/usr/bin/openssl"

  struct Failure: Error {
    let what: String
  }

  let url: URL
  let certificate: URL
  private let folder: URL
  private let process = Process()

  /// - Parameter options: additional options of `openssl s_server`.
  init(options: [String] = []) throws {
    folder = URL.temporaryDirectory.appending(path: "OpenSSLServer-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "certificate.pem")
    let paths = (certificate.path(percentEncoded: false), folder.appending(path: "key.pem").path(percentEncoded: false))
    try Self.makeCertificate(paths)

    let output = Pipe()
    process.executableURL = URL(filePath: Self.command)
    process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", paths.0, "-key", paths.1, "-www", "-naccept", "9"] + options
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The command prints "ACCEPT 127.0.0.1:port" when the server listens.
    var text = ""
    while !text.contains("\n") || !text.contains("ACCEPT") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Failure(what: "openssl s_server ended before it listened") }
      text += String(decoding: data, as: UTF8.self)
    }
    let port = text.split(separator: "ACCEPT").last?.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    guard let url = URL(string: "https://127.0.0.1:\(port)/") else { throw Failure(what: text) }
    self.url = url
  }

  deinit {
    // The process blocks SIGTERM, because it has the signal mask of the thread that started it.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  private static func makeCertificate(_ paths: (certificate: String, key: String)) throws {
    try Program.run(
      command,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
        "subjectAltName=IP:127.0.0.1", "-keyout", paths.key, "-out", paths.certificate
      ])
  }
}
#endif
