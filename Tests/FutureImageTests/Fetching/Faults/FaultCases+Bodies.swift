import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  private static let count = FaultScene.body.count

  /// Bodies that end early, stop, or arrive slowly. By default, a loader makes three attempts if each attempt fails temporarily.
  static let bodies: [FaultCase] = [
    FaultCase(9, "a body shorter than Content-Length") { scene in
      try await scene.expectPicture("/twice", FaultScene.good.truncated(after: 1_000), FaultScene.good, requests: 2)
      return try await scene.expectFailure(
        "/a", FaultScene.good.truncated(after: 1_000), as: .transport(.truncated), requests: 3)
    },
    FaultCase(10, "a chunked body that is cut off") { scene in
      try await scene.expectPicture("/twice", FaultScene.good.chunked(3_000, cut: true), FaultScene.good.chunked(3_000), requests: 2)
      return try await scene.expectFailure(
        "/a", FaultScene.good.chunked(3_000, cut: true), as: .transport(.truncated), requests: 3)
    },
    FaultCase(11, "a reset during the body") { scene in
      try await resumption(scene)
      try await restart(scene, "/weak", FaultScene.good.eTag("v1", weak: true).ranges())
      try await restart(scene, "/plain", FaultScene.good.ranges())
      let gzip = LoopbackServer.Answer.ok(Samples.pictureGzip, headers: ["Content-Encoding": "gzip"]).eTag("v1").ranges()
      try await restart(scene, "/gzip", gzip, body: Samples.picture, after: 60)
      try await scene.expectFailure("/a", FaultScene.good.reset(after: 1_000), as: .transport(.connectionLost), requests: 3)
      return "image, with the rest by Range if that is possible"
    },
    FaultCase(12, "a slow body, and a body that stops") { scene in
      try await scene.expectFailure(
        "/drip", FaultScene.good.drip(bytes: 1, every: .milliseconds(10)), as: .transport(.timedOut), requests: 1
      ) {
        $0.retry = .never
        $0.timeout = .milliseconds(300)
      }
      try await scene.expectFailure(
        "/still", FaultScene.good.heldBody(after: 1_000, by: LoopbackServer.Gate()), as: .transport(.stalled), requests: 1
      ) {
        $0.retry = .never
        $0.stallTimeout = .milliseconds(200)
      }
      return "transport(timedOut), transport(stalled)"
    },
    FaultCase(13, "a server that sends no head") { scene in
      let silentAnswer = FaultScene.good.held(by: LoopbackServer.Gate())
      // If there is no connection yet when the stall timeout ends, libcurl's exchange fails as timed out.
      try await scene.expectFailure("/a", silentAnswer, as: .oneOf([.transport(.stalled), .transport(.timedOut)]), requests: 3) {
        $0.stallTimeout = .milliseconds(200)
      }
      return try await scene.expectFailure("/b", silentAnswer, as: .transport(.timedOut), requests: 1) {
        $0.retry = .never
        $0.timeout = .milliseconds(200)
      }
    },
    FaultCase(30, "a part whose end is the largest Int") { scene in
      let whole = FaultScene.good.eTag("v1").ranges()
      let rest: LoopbackServer.Headers = ["Content-Range": "bytes 1000-\(Int.max)/\(Int.max)", "ETag": "\"v1\""]
      let part = LoopbackServer.Answer.status(206, headers: rest, body: FaultScene.body.dropFirst(1_000))
      return try await scene.expectPicture("/a", whole.truncated(after: 1_000), part, whole, requests: 3)
    },
    FaultCase(48, "a truncated body, requested again later") { scene in
      let whole = FaultScene.good.eTag("v1").ranges()
      scene.server.answer("/a", whole.truncated(after: count / 2), .status(503), .status(503), whole)
      let source = FutureImage.Source.url(scene.server.url("/a"))
      let loader = scene.makeLoader()
      let first = FutureImage(source, loader: loader)
      await loader.waitForIdle()
      #expect(first.failure?.reason == .status(503))
      #expect(loader.statistics.requests == 3)
      try await scene.clock.sleep(for: .seconds(3_600))
      try await scene.expectPicture(source, requests: 4, loader)
      let rest = "bytes=\(count / 2)-"
      #expect(scene.server.requests.map { $0.headers["Range"] } == [nil, rest, rest, rest])
      #expect(loader.statistics.bytesReceived == count)
      return "the rest by Range: image"
    }
  ]

  /// Expects that the bytes that arrived are not fetched again, because the strong validator still matches.
  private static func resumption(_ scene: FaultScene) async throws {
    let whole = FaultScene.good.eTag("v1").ranges()
    let (loader, begun) = try await broken(scene, "/resumed", whole, after: count / 2)
    begun.gate.open()
    _ = try await begun.future.value
    await loader.waitForIdle()
    let requests = scene.server.requests
    #expect(requests.count == 2)
    #expect(requests.last?.headers["Range"] == "bytes=\(count / 2)-")
    #expect(requests.last?.headers["If-Range"] == "\"v1\"")
    #expect(loader.statistics.bytesReceived == count)
    #expect(try await scene.disk.entry(forKey: begun.future.key)?.body == FaultScene.body)
  }

  /// Expects that the whole body is fetched again. A body without a strong validator, and a compressed body, cannot be continued.
  private static func restart(
    _ scene: FaultScene, _ path: String, _ whole: LoopbackServer.Answer, body: Data = FaultScene.body, after bytes: Int = count / 2
  ) async throws {
    let (loader, begun) = try await broken(scene, path, whole, after: bytes)
    begun.gate.open()
    _ = try await begun.future.value
    await loader.waitForIdle()
    #expect(scene.server.requests.map { $0.headers["Range"] } == [nil, nil])
    #expect(try await scene.disk.entry(forKey: begun.future.key)?.body == body)
  }

  /// Starts a transfer, and returns when it has received the given number of bytes. When the gate opens, the connection is reset.
  private static func broken(
    _ scene: FaultScene, _ path: String, _ whole: LoopbackServer.Answer, after bytes: Int
  ) async throws -> (FutureImage.Loader, (future: FutureImage, gate: LoopbackServer.Gate)) {
    let gate = LoopbackServer.Gate()
    scene.server.resetLog()
    scene.server.answer(path, whole.reset(after: bytes).heldBody(after: bytes, by: gate), whole)
    let loader = scene.makeLoader()
    let future = FutureImage(at: scene.server.url(path), loader: loader)
    await gate.waitForArrival()
    // A reset discards bytes that the client has not read yet, so wait until the client has read all bytes. This is impossible for the
    // compressed body, because the statistics count its bytes after decompression. Only the compressed body is reset after so few bytes.
    await waitWhile(loader.statistics.bytesReceived < (bytes > 1_000 ? bytes : 0))
    return (loader, (future, gate))
  }
}
