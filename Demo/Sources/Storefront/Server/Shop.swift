import Foundation
import FutureImageTesting

/// The shop's server on loopback. It serves a JSON feed made from the catalog, and the images of the items. Each image has its own URL.
///
/// It behaves like real servers. Some answers are late, some requests fail once, and some always fail (``Outcome``). The server holds two
/// images of the first screen until ``release()``, so that people can see the app while it loads them.
public final class Shop: Sendable {
  /// The number of the item whose image is animated. It is on the first screen.
  public static let animatedItem = 8

  public let feedURL: URL
  private let server: LoopbackServer
  private let pictures: Pictures

  /// Starts a server for the photos in the folder, on a port that the system chooses.
  /// - Throws: an error of reading the catalog or of opening a port.
  public init(photos folder: URL, itemCount: Int = 1_000) throws {
    let catalog = try Catalog(folder: folder)
    let pictures = Pictures(catalog: catalog, itemCount: itemCount)
    let server = try LoopbackServer()
    for (path, answers) in pictures.answers(isSlow: false, requested: []) { server.answer(path, answers) }
    let base = server.baseURL
    let listings = (1...itemCount).map { Listing(item: $0, photo: catalog.photo(ofItem: $0), base: base) }
    let feed = try JSONEncoder().encode(["items": listings])
    server.answer("/feed.json", .ok(feed, contentType: "application/json"))
    self.server = server
    self.pictures = pictures
    feedURL = server.url("/feed.json")
  }

  /// Sends the held images.
  public func release() { pictures.gate.open() }

  /// Whether the server imitates a slow connection. If true, the server waits before it sends each image, and sends the image at 160 KB a
  /// second.
  @MainActor public var isSlow = false {
    didSet {
      let requested = Set(server.requests.map(\.path))
      for (path, answers) in pictures.answers(isSlow: isSlow, requested: requested) { server.answer(path, answers) }
    }
  }

  /// Returns how often the image of this URL was requested.
  public func requests(of url: String) -> Int { server.requestCount(URL(string: url)?.path) }

  /// The number of requests for images, including retries.
  public var pictureRequests: Int { server.requests.count { $0.path.hasPrefix("/prints/") } }

  /// The number of different images that were requested.
  public var picturesAskedFor: Int { Set(server.requests.map(\.path).filter { $0.hasPrefix("/prints/") }).count }

  public func stop() { server.stop() }
}
