import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  private static let fresh = LoopbackServer.Answer.status(
    200, headers: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=60", "ETag": "\"1\""], body: FaultScene.body)

  static let freshness: [FaultCase] = [
    FaultCase(40, "a failure that passes while the future lives") { scene in
      let page = LoopbackServer.Answer.ok(Data("<html>Log in first.</html>".utf8), contentType: "text/html")
      scene.server.answer("/portal", page, FaultScene.good)
      let source = FutureImage.Source.url(scene.server.url("/portal"))
      let loader = scene.makeLoader()
      let future = FutureImage(source, loader: loader)
      for _ in 1...2 { await #expect(throws: FutureImage.Failure.self) { _ = try await future.value } }
      #expect(loader.statistics.requests == 1)
      try await scene.clock.sleep(for: loader.configuration.retry.failureMemory)
      _ = try await future.value
      #expect(loader.statistics.requests == 2)
      return "undecodable(…), and the picture after 30 s"
    },
    FaultCase(41, "304 with no-store, or the same body with it") { scene in
      for (path, status) in [("/304", 304), ("/200", 200)] {
        let forbidding = LoopbackServer.Answer.status(
          status, headers: ["Cache-Control": "no-store", "ETag": "\"1\""], body: status == 200 ? FaultScene.body : Data())
        let future = try await askedAgain(scene, path, fresh, forbidding, requests: 2)
        #expect(try await scene.disk.entry(forKey: future.key ?? "") == nil, "\(path)")
        #expect(future.failure == nil)
      }
      return "shown, and gone from the disk"
    },
    FaultCase(42, "304 about another picture, or to no condition") { scene in
      let unconditional = LoopbackServer.Answer.status(
        200, headers: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=60"], body: FaultScene.body)
      for (path, first) in [("/other", fresh), ("/unasked", unconditional)] {
        let confused = LoopbackServer.Answer.status(304, headers: ["ETag": "\"2\""])
        try await askedAgain(scene, path, first, confused, FaultScene.good, requests: 3)
        let last = try #require(scene.server.requests.last)
        #expect(last.headers["Cache-Control"] == "no-cache")
        #expect(last.headers["If-None-Match"] == nil && last.headers["If-Modified-Since"] == nil)
      }
      return "fetched afresh once: picture"
    },
    FaultCase(43, "headers that cannot be made; 403 with others") { scene in
      let calls = Lock(0)
      let source = FutureImage.Source.url(scene.server.url("/token"), key: "token") {
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        guard call > 1 else { throw FutureImage.Failure(.transport(.offline)) }
        return ["Authorization": "Bearer \(call)"]
      }
      scene.server.answer("/token", .status(403), FaultScene.good)
      try await scene.expectPicture(source, requests: 2, scene.makeLoader())
      #expect(scene.server.requests.map { $0.headers["Authorization"] } == ["Bearer 2", "Bearer 3"])
      return "made anew: picture"
    },
    FaultCase(44, "a signed URL that has expired") { scene in
      for status in [401, 403, 410] {
        scene.server.resetLog()
        scene.server.answer("/old", .status(status))
        scene.server.answer("/new", FaultScene.good)
        let (old, new) = (scene.server.url("/old"), scene.server.url("/new"))
        let source = FutureImage.Source.url(old, key: "signed-\(status)").renewing { url, _ in url == old ? new : nil }
        try await scene.expectPicture(source, requests: 2, scene.makeLoader())
        #expect(scene.server.requests.map(\.path) == ["/old", "/new"])
      }
      return "renewed once: picture"
    }
  ]

  /// The first answer brings the picture, which is asked about once it is stale.
  @discardableResult
  private static func askedAgain(
    _ scene: FaultScene, _ path: String, _ answers: LoopbackServer.Answer..., requests: Int
  ) async throws -> FutureImage {
    scene.server.resetLog()
    scene.server.answer(path, answers)
    let time = SettableDate()
    let loader = scene.makeLoader { $0.now = { time.now } }
    let future = FutureImage(at: scene.server.url(path), loader: loader)
    _ = try await future.value
    await loader.settled()
    time.advance(seconds: 61)
    let later = FutureImage(at: scene.server.url(path), loader: loader)
    _ = try await later.value
    await loader.settled()
    #expect(loader.statistics.requests == requests)
    return later
  }
}
