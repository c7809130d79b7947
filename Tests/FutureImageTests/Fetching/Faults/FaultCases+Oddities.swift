import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  private static let page = Data("<html>not compressed</html>".utf8)

  /// Unusual responses. By default, a loader makes three attempts if each attempt fails temporarily.
  static let oddities: [FaultCase] = [
    FaultCase(31, "a status with an unusual body", corelibsFault: "decodes bodies that are not needed, and waits for them") { scene in
      let redirect = LoopbackServer.Headers(dictionaryLiteral: ("Location", "/good"), ("Content-Encoding", "gzip"))
      scene.server.answer("/good", FaultScene.good)
      try await scene.expectPicture("/moved", .status(302, headers: redirect), requests: 2)
      let busy = LoopbackServer.Answer.status(503, headers: ["Content-Encoding": "gzip"], body: page)
      try await scene.expectPicture("/busy", busy, busy, FaultScene.good, requests: 3)
      let held = LoopbackServer.Answer.status(404, body: page).heldBody(after: 3, by: LoopbackServer.Gate())
      try await scene.expectFailure("/held", held, as: .exactly(.status(404)), requests: 1)
      let endless = LoopbackServer.Answer.status(404, body: Data(count: 32 << 20))
      scene.server.resetLog()
      scene.server.answer("/endless", endless)
      let loader = scene.makeLoader()
      let source = FutureImage.Source.url(scene.server.url("/endless"))
      let outcome = try await scene.expectFailure(source, as: .exactly(.status(404)), requests: 1, loader)
      #expect(loader.statistics.bytesReceived == 0)
      return outcome
    },
    FaultCase(32, "Content-Encoding that names no coding", corelibsFault: "refuses unknown codings") { scene in
      for (index, label) in ["aws-chunked", "utf-8", "binary"].enumerated() {
        let answer = LoopbackServer.Answer.ok(FaultScene.body, headers: ["Content-Encoding": label])
        try await scene.expectPicture("/\(index)", answer, requests: 1)
      }
      return "image"
    },
    FaultCase(33, "gzip with two members, and with none", corelibsFault: "stops after the first member") { scene in
      let half = FaultScene.body.count / 2
      let members = Gzip.stored(FaultScene.body.prefix(half)) + Gzip.stored(Data(FaultScene.body.dropFirst(half)))
      try await scene.expectPicture("/two", .ok(members, headers: ["Content-Encoding": "gzip"]), requests: 1)
      return try await scene.expectFailure(
        "/none", LoopbackServer.Answer.ok(Data(), headers: ["Content-Encoding": "gzip"]).chunked(1), as: .exactly(.empty), requests: 1)
    },
    FaultCase(34, "a body that is cut off several times") { scene in
      let whole = FaultScene.good.eTag("v1").ranges()
      // A piece of 33,000 bytes is long enough to restart the count of failed attempts, and a piece of 10 bytes is not.
      let piece = whole.truncated(after: 33_000)
      try await scene.expectPicture(
        "/a", piece, .status(503), piece, .status(503), whole, requests: 5)
      let beginning = whole.truncated(after: 10)
      return try await scene.expectFailure("/b", beginning, as: .transport(.truncated), requests: 3)
    },
    FaultCase(35, "Retry-After: 0, and in the past") { scene in
      for (index, field) in ["0", "Sun, 06 Nov 1994 08:49:37 GMT"].enumerated() {
        let busy = LoopbackServer.Answer.status(503, headers: ["Retry-After": field])
        try await scene.expectPicture("/\(index)", busy, busy, FaultScene.good, requests: 3)
      }
      #expect(scene.clock.waits.count == 4)
      #expect(scene.clock.waits.allSatisfy { $0 > .zero })
      return "waits as without Retry-After"
    },
    FaultCase(36, "Location in Latin-1, and two Locations", corelibsFault: "follows these redirects by itself") { scene in
      let latin1 = Data("HTTP/1.1 302 Found\r\nLocation: /caf".utf8) + [0xE9] + Data("\r\nContent-Length: 0\r\n\r\n".utf8)
      scene.server.answer("/caf%E9", FaultScene.good)
      try await scene.expectPicture("/latin1", .raw(latin1), requests: 2)
      scene.server.answer("/good", FaultScene.good)
      let twice = LoopbackServer.Headers(dictionaryLiteral: ("Location", "/good"), ("Location", "/good"))
      try await scene.expectPicture("/twice", .status(302, headers: twice), requests: 2)
      let two = LoopbackServer.Headers(dictionaryLiteral: ("Location", "/good"), ("Location", "/other"))
      return try await scene.expectFailure("/two", .status(302, headers: two), as: .malformed, requests: 1)
    }
  ]
}
