#if !canImport(CoreGraphics)
import Foundation

/// A certificate authority that the system does not trust, and a certificate for 127.0.0.1 that this authority has signed. The `openssl`
/// command creates both.
struct TestAuthority: Sendable {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: command)

  private static let command = "/usr/bin/openssl"

  /// The certificate of the authority, which a test's fetcher must trust. All three files have the PEM format.
  let authority: URL
  let certificate: URL
  let key: URL

  /// - Parameter folder: an existing folder.
  init(in folder: URL) throws {
    authority = folder.appending(path: "authority.pem")
    certificate = folder.appending(path: "certificate.pem")
    key = folder.appending(path: "key.pem")
    let authorityKey = folder.appending(path: "authority-key.pem").path(percentEncoded: false)
    let signer = authority.path(percentEncoded: false)
    let new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    try Program.run(Self.command, new + ["-subj", "/CN=FutureImage tests", "-keyout", authorityKey, "-out", signer])
    try Program.run(
      Self.command,
      new + [
        "-CA", signer, "-CAkey", authorityKey, "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-addext",
        "basicConstraints=critical,CA:FALSE", "-keyout", key.path(percentEncoded: false), "-out", certificate.path(percentEncoded: false)
      ])
  }
}
#endif
