#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

extension FaultCase {
  private static let noAuthorities = "accepts only the system's certificate authorities"
  private static let oneErrorCode = "has one error code for every fault of transport"
  private static let noServer = NginxServer.isInstalled ? nil : "nginx and openssl are not installed (nginx-light, openssl)"

  /// The cases of TLS. The servers are nginx and openssl, because `LoopbackServer` does not support TLS.
  static let secure: [FaultCase] = [
    FaultCase(8, "a redirect from https to http", corelibsFault: noAuthorities, missing: noServer) { scene in
      let nginx = try NginxServer(serving: Scratch.folder())
      let loader = scene.makeLoader(scene.backend.makeFetcher(trusting: nginx.authority.authority))
      let source = FutureImage.Source.url(nginx.url(ImageFolder.name(0), .downgraded, over: .https1))
      let outcome = try await scene.expectFailure(source, as: .refused, requests: 1, loader)
      await nginx.log.waitForRequests(1)
      #expect(nginx.log.requests.count == 1)
      return outcome
    },
    FaultCase(25, "a certificate that is not trusted", corelibsFault: oneErrorCode, missing: noServer) { scene in
      let nginx = try NginxServer(serving: Scratch.folder())
      for front in [NginxServer.Front.https1, .http2] {
        let source = FutureImage.Source.url(nginx.url(ImageFolder.name(0), over: front))
        try await scene.expectFailure(source, as: .transport(.untrusted), requests: 1, scene.makeLoader())
      }
      #expect(nginx.log.requests.isEmpty)
      return "transport(untrusted), and not tried again"
    },
    FaultCase(39, "a version of TLS that is too old", corelibsFault: oneErrorCode, missing: noServer) { scene in
      let server = try OpenSSLServer(options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
      let loader = scene.makeLoader(scene.backend.makeFetcher(trusting: server.certificate))
      return try await scene.expectFailure(.url(server.url), as: .transport(.untrusted), requests: 1, loader)
    }
  ]
}

extension HTTPBackend {
  /// - Parameter authorities: PEM certificates.
  func makeFetcher(trusting authorities: URL) -> any FutureImage.Fetcher {
    guard self == .curl else { return makeFetcher() }
    return FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none, certificateAuthorities: authorities))
  }
}
#endif
