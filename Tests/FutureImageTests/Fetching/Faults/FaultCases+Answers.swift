import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  private static let half = FaultScene.body.count / 2

  /// Responses that do not belong to their request, or that violate HTTP.
  static let answers: [FaultCase] = [
    FaultCase(21, "a 304 to a request without conditions") { scene in
      try await scene.expectPicture("/once", .status(304), FaultScene.good, requests: 2)
      let last = try #require(scene.server.requests.last)
      #expect(last.headers["Cache-Control"] == "no-cache")
      #expect(last.headers["If-None-Match"] == nil && last.headers["If-Modified-Since"] == nil)
      try await scene.expectFailure("/always", .status(304), as: .malformed, requests: 2)
      return "fetched again once, then malformed(…)"
    },
    FaultCase(22, "a 206 with a wrong range, and 416") { scene in
      let whole = FaultScene.good.eTag("v1")
      let broken = whole.truncated(after: half)
      let rest = FaultScene.body.dropFirst(half)
      let wrong: [(String, LoopbackServer.Answer)] = [
        ("/early", part(rest, from: half - 1, tag: "v1")), ("/late", part(rest, from: half + 1, tag: "v1")),
        ("/changed", part(rest, from: half, tag: "v2")), ("/none", .status(206, headers: ["ETag": "\"v1\""], body: rest)),
        ("/416", .status(416, headers: ["Content-Range": "bytes */\(FaultScene.body.count)"]))
      ]
      for (path, answer) in wrong {
        try await scene.expectPicture(path, broken, answer, whole, requests: 3)
        #expect(scene.server.requests.map { $0.headers["Range"] != nil } == [false, true, false], "\(path)")
      }
      return "fetched again from the start: image"
    },
    FaultCase(23, "a head of 400 KB, a broken status line", corelibsFault: "has a limit of its own, and one error code") { scene in
      let field = "X-A: \(String(repeating: "a", count: 990))\r\n"
      for head in [String(repeating: field, count: 400), "X-A: \(String(repeating: "a", count: 400_000))\r\n"] {
        let raw = LoopbackServer.Answer.raw(Data("HTTP/1.1 200 OK\r\n\(head)Content-Length: 0\r\n\r\n".utf8))
        try await scene.expectFailure("/a", raw, as: .exactly(.tooLongHead()), requests: 1)
      }
      for line in ["HTTP/1.1 two hundred", "hello, this is no HTTP"] {
        try await scene.expectFailure("/b", .raw(Data("\(line)\r\n\r\n".utf8)), as: .malformed, requests: 1)
      }
      return "malformed(…)"
    }
  ]

  private static func part(_ rest: Data, from first: Int, tag: String) -> LoopbackServer.Answer {
    let range = "bytes \(first)-\(first + rest.count - 1)/\(first + rest.count)"
    return .status(206, headers: ["ETag": "\"\(tag)\"", "Content-Range": range], body: rest)
  }
}
