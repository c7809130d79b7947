#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImage
import Testing

@Suite(.enabled(if: OpenSSLServer.isInstalled), .tags(.threads), .timeLimit(.minutes(2))) struct CurlFetcherTLSTests {
  private func makeFetcher(authorities: URL? = nil) -> FutureImage.CurlFetcher {
    FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none, certificateAuthorities: authorities))
  }

  @Test func `a certificate of nobody known is untrusted`() async throws {
    let server = try OpenSSLServer()
    #expect(await makeFetcher().reason(server.url) == .transport(.untrusted))
  }

  @Test func `a certificate of the given authorities is trusted`() async throws {
    let server = try OpenSSLServer()
    let collected = try await makeFetcher(authorities: server.certificate).collect(server.url)
    #expect(collected.response?.status == 200)
    #expect(!collected.body.isEmpty)
  }

  @Test func `a certificate for another host is untrusted`() async throws {
    let server = try OpenSSLServer()
    var url = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    url.host = "localhost"
    #expect(try await makeFetcher(authorities: server.certificate).reason(#require(url.url)) == .transport(.untrusted))
  }
}
#endif
