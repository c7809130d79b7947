import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests the program on the page about command-line programs. The code of the program is in `Snippets`.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ThumbnailerTests {
  @Test func `the example program writes thumbnails, continues after a failure, and stores the originals on disk`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.answer("/a.jpg", .ok(SampleImage.jpeg(1200, 900)))
    server.answer("/gone.jpg", .status(404))
    let directory = try TemporaryDirectory()
    let picture = directory.file("c.jpg")
    try SampleImage.jpeg(900, 1200).write(to: picture)
    let disk = FutureImage.DiskCache.temporary()
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = disk
    let loader = FutureImage.Loader(configuration)

    let folder = directory.file("small")
    let urls = ["/a.jpg", "/gone.jpg"].map { server.url($0).absoluteString }
    let status = try await Thumbnailer.run(["thumbnails", folder.path] + urls + [picture.path], loader: loader)

    #expect(status == 1)
    #expect(directory.files() == ["c.jpg", "small/1.jpg", "small/3.jpg"])
    #expect(UIImage(contentsOfFile: folder.appendingPathComponent("1.jpg").path)?.size == CGSize(width: 320, height: 240))
    #expect(UIImage(contentsOfFile: folder.appendingPathComponent("3.jpg").path)?.size == CGSize(width: 240, height: 320))
    let entry = try await disk.entry(forKey: FutureImage.Source.url(server.url("/a.jpg")).key)
    #expect(entry != nil)
  }
}
