import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  /// Redirects that are not followed, and redirects to another origin. At most ten redirects are followed.
  static let redirects: [FaultCase] = [
    FaultCase(4, "a redirect loop") { scene in
      try await scene.expectFailure("/a", .redirect(to: "/a"), as: .malformed, requests: 11)
    },
    FaultCase(5, "3xx without Location") { scene in
      for code in [301, 302, 303, 307, 308] { try await scene.expectFailure("/a", .status(code), as: .malformed, requests: 1) }
      return try await scene.expectFailure("/a", .redirect(to: ""), as: .malformed, requests: 1)
    },
    FaultCase(6, "a redirect to file: or data:") { scene in
      for target in ["data:image/png;base64,\(Samples.picture.base64EncodedString())", "ftp://127.0.0.1/a"] {
        try await scene.expectFailure("/a", .redirect(to: target), as: .refused, requests: 1)
      }
      return try await scene.expectFailure("/a", .redirect(to: "file:///etc/hosts"), as: .refused, requests: 1)
    },
    FaultCase(7, "a redirect to another origin") { scene in
      let other = try LoopbackServer()
      other.answer("/there", FaultScene.good)
      scene.server.answer("/here", .redirect(to: "/near"))
      scene.server.answer("/near", .redirect(to: other.url("/there").absoluteString))
      let url = try scene.server.url("/here").withCredentials("ann", "s3cret")
      let source = FutureImage.Source.url(url, headers: ["X-Key": "s3cret", "Cookie": "id=s3cret"])
      try await scene.expectPicture(source, requests: 3, scene.makeLoader())
      for request in scene.server.requests {
        #expect(request.headers["X-Key"] == "s3cret")
        #expect(request.headers["Cookie"] == "id=s3cret")
        #expect(request.headers["Authorization"] != nil)
      }
      let request = try #require(other.requests.first)
      for name in ["X-Key", "Cookie", "Authorization"] { #expect(request.headers[name] == nil, "\(name)") }
      #expect(!"\(request)".contains("s3cret"))
      return "image, and no secret sent"
    }
  ]
}

extension URL {
  func withCredentials(_ user: String, _ password: String) throws -> URL {
    var parts = try #require(URLComponents(url: self, resolvingAgainstBaseURL: true))
    parts.user = user
    parts.password = password
    return try #require(parts.url)
  }
}
