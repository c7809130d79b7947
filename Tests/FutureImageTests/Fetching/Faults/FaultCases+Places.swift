import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FaultCase {
  /// Files outside of the allowed folders, and URLs with credentials or with several spellings.
  static let places: [FaultCase] = [
    FaultCase(27, "a file outside of the allowed folders") { scene in
      let folder = try TemporaryDirectory()
      for path in ["inside", "outside"] {
        try FileManager.default.createDirectory(at: folder.url.appending(path: path), withIntermediateDirectories: true)
        try FaultScene.body.write(to: folder.file("\(path)/a.jpg"))
      }
      let (inside, outside) = (folder.url.appending(path: "inside"), folder.file("outside/a.jpg"))
      try FileManager.default.createSymbolicLink(at: folder.file("inside/link.jpg"), withDestinationURL: outside)

      try await scene.expectFailure(.url(outside), as: .refused, requests: 0, scene.makeLoader())
      try await expectRefusalInModel(outside)
      func loader() -> FutureImage.Loader { scene.makeLoader { $0.fileRoots = [inside] } }
      for path in ["../outside/a.jpg", "link.jpg"] {
        let source = FutureImage.Source.file(inside.appending(path: path))
        try await scene.expectFailure(source, as: .refused, requests: 1, loader())
      }
      try await scene.expectPicture(.file(folder.file("inside/a.jpg")), requests: 1, loader())
      return "refused(…)"
    },
    FaultCase(28, "credentials in a URL") { scene in
      let reports = Lock<[String]>([])
      let loader = scene.makeLoader { $0.onEvent = { key, event in reports.withLock { $0.append("\(key)\n\(event)") } } }
      scene.server.answer("/kept", FaultScene.good)
      scene.server.answer("/refused", .status(403))
      scene.server.answer("/broken", FaultScene.good.reset(after: 10))
      for path in ["/kept", "/refused", "/broken", "/gone"] {
        if path == "/gone" { scene.server.stop() }
        let future = FutureImage(at: try scene.server.url(path).withCredentials("ann", "s3cret"), loader: loader)
        _ = try? await future.value
        await loader.waitForIdle()
        var descriptions = [future.key, "\(future)", future.debugDescription, "\(future.phase)"]
        if let failure = future.failure { descriptions += texts(of: failure) }
        reports.withLock { $0 += descriptions }
      }
      let files = FileManager.default.subpaths(atPath: scene.disk.directory.path(percentEncoded: false)) ?? []
      #expect(files.contains { $0.count > 10 })
      var dumped = ""
      dump(loader.statistics, to: &dumped)
      let all = reports.withLock { $0 } + files + ["\(loader.statistics)", dumped]
      for secret in ["ann", "s3cret", Data("ann:s3cret".utf8).base64EncodedString()] {
        #expect(all.filter { $0.contains(secret) } == [])
      }
      let asked = scene.server.requests.map { $0.headers["Authorization"] }
      #expect(Set(asked) == ["Basic " + Data("ann:s3cret".utf8).base64EncodedString()])
      return "sent as Basic, and shown nowhere"
    },
    FaultCase(29, "images whose URLs have many spellings") { scene in
      let gate = LoopbackServer.Gate()
      let server = try LoopbackServer { _ in FaultScene.good.held(by: gate) }
      let port = try #require(server.baseURL.port)
      let loader = scene.makeLoader()
      let spellings = [
        "http://127.0.0.1:\(port)/p%C3%A4/~x.jpg", "HTTP://127.0.0.1:\(port)/p%c3%a4/%7Ex.jpg#top",
        "hTTp://127.0.0.1:\(port)/a/../pä/./~x.jpg#", "http://127.0.0.1:\(port)/100%25.jpg", "http://127.0.0.1:\(port)/100%.jpg"
      ]
      let futures = try spellings.map { FutureImage(at: try #require(URL(string: $0), "\($0)"), loader: loader) }
      await gate.waitForArrival(count: 2)
      gate.open()
      for future in futures { #expect(try await future.value.cgImage?.width == 400) }
      #expect(Set(futures.map(\.key)).count == 2)
      #expect(server.requestCount() == 2)
      #expect(loader.statistics.requests == 2)
      return "one key and one request for each image"
    }
  ]

  private struct Item: Decodable {
    @FutureImage.FromURL var photo: FutureImage
  }

  private static func expectRefusalInModel(_ file: URL) async throws {
    let json = try JSONEncoder().encode(["photo": file.absoluteString])
    let photo = try JSONDecoder().decode(Item.self, from: json).photo
    let failure = await #expect(throws: FutureImage.Failure.self) { try await photo.value }
    if case .refused = failure?.reason { return }
    Issue.record("\(file) in a model: \(String(describing: failure))")
  }

  private static func texts(of failure: FutureImage.Failure) -> [String] {
    var dumped = ""
    dump(failure, to: &dumped)
    var texts = [dumped, "\(failure)", String(reflecting: failure), failure.localizedDescription, failure.key]
    if let underlying = failure.underlying {
      dump(underlying as Any, to: &dumped)
      texts += [dumped, "\(underlying)", String(reflecting: underlying), underlying.localizedDescription]
    }
    return texts
  }
}
