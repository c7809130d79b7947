import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  /// URLs to which no connection can be made. By default, a loader makes three attempts if each attempt fails temporarily.
  static let connections: [FaultCase] = [
    FaultCase(24, "an unknown host, a refused connection") { scene in
      let unknownHost = try #require(URL(string: "http://pictures.invalid/a"))
      try await scene.expectFailure(.url(unknownHost), as: .transport(.hostNotFound), requests: 3, scene.makeLoader())
      let url = scene.server.url("/a")
      scene.server.stop()
      try await scene.expectFailure(.url(url), as: .transport(.connectionRefused), requests: 3, scene.makeLoader())
      return "transport(hostNotFound, connectionRefused)"
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
