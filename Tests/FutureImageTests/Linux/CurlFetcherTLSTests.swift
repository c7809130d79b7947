#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

@Suite(.enabled(if: OpenSSLServer.isInstalled), .tags(.threads), .timeLimit(.minutes(5))) struct CurlFetcherTLSTests {
  private func makeFetcher(authorities: URL? = nil) -> FutureImage.CurlFetcher {
    FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none, certificateAuthorities: authorities))
  }

  @Test func `a certificate of an unknown authority is untrusted`() async throws {
    let server = try OpenSSLServer()
    #expect(await makeFetcher().reason(server.url) == .transport(.untrusted))
  }

  @Test func `a certificate of the configured authorities is trusted`() async throws {
    let server = try OpenSSLServer()
    let collected = try await makeFetcher(authorities: server.certificate).collect(server.url)
    #expect(collected.response?.status == 200)
    #expect(!collected.body.isEmpty)
  }

  @Test func `the path of the configured authorities may have spaces`() async throws {
    let server = try OpenSSLServer()
    let folder = try TemporaryDirectory()
    let authorities = folder.file("my authorities.pem")
    try FileManager.default.copyItem(at: server.certificate, to: authorities)
    #expect(try await makeFetcher(authorities: authorities).collect(server.url).response?.status == 200)
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [nil, "no certificate"])
  func `the failure names the file of authorities if the file is missing or has no certificate`(contents: String?) async throws {
    let server = try OpenSSLServer()
    let folder = try TemporaryDirectory()
    let file = folder.file("authorities.pem")
    try contents.map { try Data($0.utf8).write(to: file) }
    let failure = await #expect(throws: FutureImage.Failure.self) { _ = try await makeFetcher(authorities: file).collect(server.url) }
    let path = file.path(percentEncoded: false)
    let reason = "the certificate authorities in “\(path)” cannot be read; set SSL_CERT_FILE to a file of PEM certificates"
    #expect(failure?.description == "The image was not requested: \(reason).")
    withExtendedLifetime(folder) {}
  }

  @Test func `a certificate for another host is untrusted`() async throws {
    let server = try OpenSSLServer()
    var url = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    url.host = "localhost"
    #expect(try await makeFetcher(authorities: server.certificate).reason(#require(url.url)) == .transport(.untrusted))
  }

  @Test(arguments: [["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2", "-cipher", "NULL-SHA256:@SECLEVEL=0"], ["-Verify", "1"]])
  func `a server is untrusted if no secure connection can be negotiated`(options: [String]) async throws {
    let server = try OpenSSLServer(options: options)
    let failure = await #expect(throws: FutureImage.Failure.self) {
      _ = try await makeFetcher(authorities: server.certificate).collect(server.url)
    }
    #expect(failure?.reason == .transport(.untrusted), "\(String(describing: failure?.underlying))")
    #expect(failure?.isTransient == false)
  }

  @Test func `a server that does not support TLS is untrusted`() async throws {
    let server = try RawServer { connection in
      connection.write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
      _ = connection.readHead()
    }
    var url = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    url.scheme = "https"
    #expect(try await makeFetcher().reason(#require(url.url)) == .transport(.untrusted))
  }

  @Test(arguments: [true, false]) func `a connection that ends during the handshake fails as lost`(isReset: Bool) async throws {
    let server = try RawServer { connection in
      connection.readSome()
      if isReset { connection.reset() }
    }
    var url = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    url.scheme = "https"
    #expect(try await makeFetcher().reason(#require(url.url)) == .transport(.connectionLost))
  }
}
#endif
