import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  static let connections: [FaultCase] = [
    FaultCase(24, "an unknown host, a refused connection") { scene in
      let nowhere = try #require(URL(string: "http://pictures.invalid/a"))
      try await scene.expectFailure(.url(nowhere), as: .transport(.hostNotFound), requests: 3, scene.makeLoader())
      let url = scene.server.url("/a")
      scene.server.stop()
      try await scene.expectFailure(.url(url), as: .transport(.connectionRefused), requests: 3, scene.makeLoader())
      return "transport(hostNotFound, connectionRefused)"
    },
    FaultCase(25, "TLS that nobody trusts", corelibsFault: "has one error code for every fault of transport", needsNginx: true) { scene in
      let nginx = try NginxServer(serving: Scratch.folder())
      for front in [NginxServer.Front.https1, .http2] {
        let source = FutureImage.Source.url(nginx.url(Gallery.name(0), over: front))
        try await scene.expectFailure(source, as: .transport(.untrusted), requests: 1, scene.makeLoader())
      }
      #expect(nginx.log.requests.isEmpty)
      return "transport(untrusted), and not tried again"
    },
    FaultCase(26, "javascript:, about:, ftp: and the like") { scene in
      let place = scene.server.baseURL.absoluteString.dropFirst("http".count)
      for text in ["javascript:alert(1)", "about:blank", "ftp\(place)/a", "ws\(place)/a", "blob\(place)/a", "//127.0.0.1/a", "http:///a"] {
        let source = FutureImage.Source.url(try #require(URL(string: text)))
        try await scene.expectFailure(source, as: .refused, requests: 0, scene.makeLoader())
      }
      #expect(scene.server.connectionCount == 0)
      return "refused(…), and no connection"
    }
  ]
}

extension HTTPBackend {
  /// - Parameter authorities: PEM certificates.
  func makeFetcher(trusting authorities: URL) -> any FutureImage.Fetcher {
    #if canImport(CCurl)
    if self == .curl {
      return FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none, certificateAuthorities: authorities))
    }
    #endif
    return makeFetcher()
  }
}
