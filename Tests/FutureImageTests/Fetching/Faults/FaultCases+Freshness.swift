import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  private static let fresh = picture("max-age=60")

  private static func picture(_ control: String, eTag: String? = "\"1\"") -> LoopbackServer.Answer {
    let headers: LoopbackServer.Headers = eTag.map { ["Cache-Control": control, "ETag": $0] } ?? ["Cache-Control": control]
    return .ok(FaultScene.body, contentType: "image/jpeg", headers: headers)
  }

  /// Images that are requested again, because they are stale, were reloaded, or have failed.
  static let freshness: [FaultCase] = [
    FaultCase(40, "a failure that passes while a future exists") { scene in
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
      return "undecodable(…), and the image after 30 s"
    },
    FaultCase(41, "a 304 or the same body with no-store") { scene in
      for (path, status) in [("/304", 304), ("/200", 200)] {
        let forbidding = LoopbackServer.Answer.status(
          status, headers: ["Cache-Control": "no-store", "ETag": "\"1\""], body: status == 200 ? FaultScene.body : Data())
        let future = try await askedAgain(scene, path, fresh, forbidding, requests: 2)
        #expect(try await scene.disk.entry(forKey: future.key) == nil, "\(path)")
        #expect(future.failure == nil)
      }
      return "shown, and removed from the disk"
    },
    FaultCase(42, "a 304 for another image, or an unasked 304") { scene in
      let unconditional = LoopbackServer.Answer.status(
        200, headers: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=60"], body: FaultScene.body)
      for (path, first) in [("/other", fresh), ("/unasked", unconditional)] {
        let otherTag = LoopbackServer.Answer.status(304, headers: ["ETag": "\"2\""])
        try await askedAgain(scene, path, first, otherTag, FaultScene.good, requests: 3)
        let last = try #require(scene.server.requests.last)
        #expect(last.headers["Cache-Control"] == "no-cache")
        #expect(last.headers["If-None-Match"] == nil && last.headers["If-Modified-Since"] == nil)
      }
      return "fetched again once: image"
    },
    FaultCase(43, "a headers closure that throws; a 403") { scene in
      let calls = Calls()
      let source = FutureImage.Source.url(scene.server.url("/token"), key: "token") {
        let call = calls.next()
        guard call > 1 else { throw FutureImage.Failure(.transport(.offline)) }
        return ["Authorization": "Bearer \(call)"]
      }
      scene.server.answer("/token", .status(403), FaultScene.good)
      try await scene.expectPicture(source, requests: 2, scene.makeLoader())
      #expect(scene.server.requests.map { $0.headers["Authorization"] } == ["Bearer 2", "Bearer 3"])
      return "made again: image"
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
      return "renewed once: image"
    },
    FaultCase(45, "304 with only Expires") { scene in
      let first = picture("max-age=60, must-revalidate")
      let confirmation = LoopbackServer.Answer.status(304, headers: ["Expires": "Fri, 01 Jan 2100 00:00:00 GMT", "ETag": "\"1\""])
      let visits = Visits(scene, "/a", first, confirmation, .status(503), .status(304))
      try await visits.expectPicture(requests: 1)
      visits.time.advance(seconds: 61)
      try await visits.expectPicture(requests: 2)
      // The entry is fresh for the 60 seconds of max-age, and not until 2100. After this time, must-revalidate requires that the entry is
      // revalidated before it is shown.
      visits.time.advance(seconds: 50)
      try await visits.expectPicture(requests: 2)
      visits.time.advance(seconds: 11)
      try await visits.expectFailure(.status(503), requests: 3)
      try await visits.expectPicture(requests: 4)
      return "max-age and must-revalidate stay: status(503), then image"
    },
    FaultCase(46, "no-cache, and a server that fails") { scene in
      let first = picture("no-cache")
      for path in ["/memory", "/disk"] {
        let visits = Visits(scene, path, first, .status(503), .status(304), isOneLoader: path == "/memory")
        let shown = try await visits.expectPicture(requests: 1)
        try await visits.expectFailure(.status(503), requests: 2)
        try await visits.expectPicture(requests: 3)
        #expect(scene.server.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", "\"1\""], "\(path)")
        withExtendedLifetime(shown) {}
      }
      return "not shown before a 304: status(503), then image"
    },
    FaultCase(47, "reload() of an image without a validator") { scene in
      for (path, tag) in [("/plain", nil), ("/tagged", "\"1\"")] {
        scene.server.resetLog()
        scene.server.answer(path, picture("max-age=60", eTag: tag))
        let loader = scene.makeLoader()
        let future = FutureImage(at: scene.server.url(path), loader: loader)
        _ = try await future.value
        await loader.waitForIdle()
        future.reload()
        await loader.waitForIdle()
        let requests = scene.server.requests
        #expect(requests.count == 2, "\(path)")
        #expect(requests.last?.headers["If-None-Match"] == tag)
        #expect(requests.last?.headers["Cache-Control"] == (tag == nil ? "no-cache" : nil), "\(path)")
        _ = try await future.value
      }
      return "no-cache is sent, unless there is a validator"
    },
    FaultCase(50, "a clock that was set back") { scene in
      let visits = Visits(scene, "/a", fresh, .status(304))
      try await visits.expectPicture(requests: 1)
      visits.time.advance(seconds: -3_600)
      try await visits.expectPicture(requests: 2)
      #expect(scene.server.requests.last?.headers["If-None-Match"] == "\"1\"")
      return "shown, and revalidated"
    },
    FaultCase(51, "reload() of an image that the app has set") { scene in
      scene.server.answer("/a", fresh, FaultScene.good)
      let loader = scene.makeLoader()
      let future = FutureImage(at: scene.server.url("/a"), loader: loader)
      _ = try await future.value
      await loader.waitForIdle()
      try await loader.set(SampleImage.image(8, 6), forKey: future.key)
      future.reload()
      await loader.waitForIdle()
      // The request has the validator of the server's last image, because a 304 would mean that the server has no newer image.
      #expect(scene.server.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
      #expect(try await future.value.cgImage?.width == 400)
      #expect(try await scene.disk.entry(forKey: future.key)?.body == FaultScene.body)
      return "requested with the validator of the last image: image"
    },
    FaultCase(52, "a reload() whose response is no image") { scene in
      let page = LoopbackServer.Answer.ok(Data("<html>Log in first.</html>".utf8), contentType: "text/html")
      scene.server.answer("/a", fresh, page)
      let loader = scene.makeLoader()
      let future = FutureImage(at: scene.server.url("/a"), loader: loader)
      let image = try await future.value
      await loader.waitForIdle()
      let failures = await [future].reload()
      await loader.waitForIdle()
      #expect(failures.first??.reason.isUndecodable == true)
      #expect(try await future.value === image)
      #expect(try await scene.disk.entry(forKey: future.key)?.body == FaultScene.body)
      return "undecodable(…), and the image stays in views and on disk"
    },
    FaultCase(53, "a new token, then a 304 for another image") { scene in
      let calls = Calls()
      let source = FutureImage.Source.url(scene.server.url("/a"), key: "with a token") { ["Authorization": "Bearer \(calls.next())"] }
      scene.server.answer("/a", fresh, .status(401), .status(304, headers: ["ETag": "\"2\""]), FaultScene.good)
      let time = SettableDate()
      let loader = scene.makeLoader { $0.now = { time.now } }
      _ = try await FutureImage(source, loader: loader).value
      await loader.waitForIdle()
      time.advance(seconds: 61)
      let later = FutureImage(source, loader: loader)
      _ = try await later.value
      await loader.waitForIdle()
      let requests = scene.server.requests
      #expect(requests.map { $0.headers["Authorization"] } == ["Bearer 1", "Bearer 2", "Bearer 3", "Bearer 3"])
      #expect(requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", "\"1\"", nil])
      return "fetched again with the new token: image"
    }
  ]

  /// Loads the image with the first answer, and revalidates it when it is stale.
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
    await loader.waitForIdle()
    time.advance(seconds: 61)
    let later = FutureImage(at: scene.server.url(path), loader: loader)
    _ = try await later.value
    await loader.waitForIdle()
    #expect(loader.statistics.requests == requests)
    return later
  }
}

/// Numbers the calls of a closure from 1.
private struct Calls: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// Futures of one image, which are created one after the other, and use one disk cache.
private struct Visits {
  let time = SettableDate()
  private let scene: FaultScene
  private let path: String
  /// The loader of all visits; nil if each visit has its own loader, as after a relaunch of the app.
  private let loader: FutureImage.Loader?

  init(_ scene: FaultScene, _ path: String, _ answers: LoopbackServer.Answer..., isOneLoader: Bool = false) {
    (self.scene, self.path) = (scene, path)
    loader = isOneLoader ? Self.makeLoader(scene, time) : nil
    scene.server.resetLog()
    scene.server.answer(path, answers)
  }

  /// - Parameter requests: the number of requests that the server has received in all visits.
  @discardableResult
  func expectPicture(requests: Int) async throws -> FutureImage {
    let (future, loader) = visit()
    #expect(try await future.value.cgImage?.width == 400)
    await loader.waitForIdle()
    #expect(scene.server.requestCount() == requests, "\(path)")
    return future
  }

  func expectFailure(_ reason: FutureImage.Failure.Reason, requests: Int) async throws {
    let (future, loader) = visit()
    let failure = await #expect(throws: FutureImage.Failure.self, "\(path)") { _ = try await future.value }
    #expect(failure?.reason == reason)
    await loader.waitForIdle()
    #expect(scene.server.requestCount() == requests, "\(path)")
  }

  private func visit() -> (FutureImage, FutureImage.Loader) {
    let loader = loader ?? Self.makeLoader(scene, time)
    return (FutureImage(at: scene.server.url(path), loader: loader), loader)
  }

  private static func makeLoader(_ scene: FaultScene, _ time: SettableDate) -> FutureImage.Loader {
    scene.makeLoader { configuration in
      configuration.retry = .never
      configuration.retry.transientFailureMemory = .zero
      configuration.now = { time.now }
    }
  }
}
