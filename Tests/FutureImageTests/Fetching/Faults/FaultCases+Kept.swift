#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

extension FaultCase {
  private static let corelibsFault = "does not report that it reuses a connection"

  /// Cases of connections that stay open.
  static let kept: [FaultCase] = [
    FaultCase(37, "unsolicited bytes on an idle connection", corelibsFault: corelibsFault) { scene in
      let unrequested = SampleImage.jpeg(8, 8)
      let sent = Signals()
      let server = try RawServer { connection in
        while connection.readHead() != nil {
          connection.answer(FaultScene.body)
          connection.answer(unrequested)
          sent.send()
        }
      }
      // The next request must not be sent before the unsolicited bytes, because bytes that follow a request cannot be distinguished from
      // the response to it.
      return try await ask(server, scene) { await sent.wait() }
    },
    FaultCase(38, "a connection that ends as it is reused", corelibsFault: corelibsFault) { scene in
      let server = try RawServer { connection in
        guard connection.readHead() != nil else { return }
        connection.answer(FaultScene.body)
        _ = connection.readHead()
        connection.reset()
      }
      return try await ask(server, scene)
    }
  ]

  /// Loads many images one after the other, each with one request.
  /// - Parameter wait: runs after each image.
  private static func ask(_ server: RawServer, _ scene: FaultScene, wait: () async -> Void = {}) async throws -> String {
    let loader = scene.makeLoader { $0.retry = .never }
    for index in 0..<20 {
      let source = FutureImage.Source.url(server.url.appending(path: "\(index)"))
      _ = try await FutureImage(source, loader: loader).value
      await loader.waitForIdle()
      #expect(try await scene.disk.entry(forKey: source.key)?.body == FaultScene.body)
      await wait()
    }
    #expect(loader.statistics.requests == 20)
    return "image, by a new connection"
  }
}
#else
extension FaultCase {
  /// The cases of connections that stay open. They are not run, because URLSession chooses its connections itself.
  static let kept: [FaultCase] = [
    (37, "unsolicited bytes on an idle connection"), (38, "a connection that ends as it is reused")
  ].map { number, name in FaultCase(number, name, missing: "URLSession chooses its connections itself") { _ in "" } }
}
#endif
