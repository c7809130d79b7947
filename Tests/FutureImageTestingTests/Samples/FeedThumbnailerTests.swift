import Foundation
import FutureImage
import FutureImageTesting
import Testing

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FeedThumbnailerTests {
  private let server: LoopbackServer
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("FeedThumbnailerTests-\(UUID())")
  private let disk: FutureImage.DiskCache
  private let thumbnailer: FeedThumbnailer

  init() throws {
    server = try LoopbackServer()
    disk = FutureImage.DiskCache(directory: folder.appendingPathComponent("originals"))
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = disk
    thumbnailer = FeedThumbnailer(loader: FutureImage.Loader(configuration))
  }

  private func run() async throws -> [String] {
    try await thumbnailer.run(server.url("/blog/feed.json"), into: folder.appendingPathComponent("small"))
  }

  private func size(of number: Int) -> CGSize? {
    UIImage(contentsOfFile: folder.appendingPathComponent("small/\(number).jpg").path)?.size
  }

  @Test func `a run writes a thumbnail of each image, and returns one line for each item without a thumbnail`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let host = "\(server.baseURL)".dropFirst("http:".count)
    let feed = """
      { "version": "https://jsonfeed.org/version/1.1", "title": "Photos", "items": [
        { "id": "a path", "image": "/a.jpg" },
        { "id": "an empty text", "image": "", "banner_image": "b.jpg" },
        { "id": "no scheme", "image": null, "banner_image": "\(host)/c.png" },
        { "id": "an attachment", "attachments": [
          { "url": "/talk.mp3", "mime_type": "audio/mpeg" }, { "url": "d.jpg", "mime_type": "image/jpeg" } ] },
        { "id": "no image", "image": "ftp://old.example/e.jpg", "banner_image": false, "attachments": [] },
        { "id": "gone", "image": "\(server.baseURL)/gone.jpg" }
      ] }
      """
    server.answer("/blog/feed.json", .ok(Data(feed.utf8), contentType: "application/feed+json"))
    server.answer("/a.jpg", .ok(TestImage(width: 640, height: 480).jpeg))
    server.answer("/blog/b.jpg", .ok(TestImage(width: 480, height: 640).jpeg))
    server.answer("/c.png", .ok(TestImage(width: 100, height: 50).png))
    server.answer("/blog/d.jpg", .ok(TestImage(width: 1000, height: 1000).jpeg))
    server.answer("/gone.jpg", .status(404))

    let lines = try await run()
    #expect(
      lines == [
        "5: no image",
        "6: The image \(server.baseURL)/gone.jpg does not exist on the server (status 404); check its URL."
      ])
    let sizes = [CGSize(width: 320, height: 240), CGSize(width: 240, height: 320), CGSize(width: 100, height: 50)]
    #expect((1...4).map(size) == sizes + [CGSize(width: 320, height: 320)])
    #expect(server.requestCount("/talk.mp3") == 0)
    #expect(await disk.count() == 4)
  }

  @Test func `a second run reads the originals from disk`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    server.answer("/blog/feed.json", .ok(Data(#"{ "items": [{ "id": "1", "image": "a.jpg" }] }"#.utf8)))
    server.answer("/blog/a.jpg", .ok(TestImage(width: 640, height: 480).jpeg))
    #expect(try await run() == [])
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = disk
    let secondThumbnailer = FeedThumbnailer(loader: FutureImage.Loader(configuration))
    #expect(try await secondThumbnailer.run(server.url("/blog/feed.json"), into: folder.appendingPathComponent("small")) == [])
    #expect(server.requestCount("/blog/feed.json") == 2)
    #expect(server.requestCount("/blog/a.jpg") == 1)
  }
}
