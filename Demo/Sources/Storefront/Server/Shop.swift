import Foundation
import FutureImageTesting

/// The shop's server on loopback: a JSON feed made from the catalogue, and the pictures of its items, each under a URL of its own.
///
/// It behaves as servers do: some answers are late, some fail once, some for ever (``Fate``). Two pictures of the first screen are held
/// until ``letGo()``, so that they can be seen on their way.
public final class Shop: Sendable {
  /// The number of the item whose picture moves. It is on the first screen.
  public static let animatedItem = 8

  public let feedURL: URL
  private let server: LoopbackServer
  private let pictures: Pictures

  /// Serves the photos of the folder at once, on a port that the system chooses.
  /// - Throws: what reading the catalogue throws, or that no port could be had.
  public init(photos folder: URL, itemCount: Int = 1_000) throws {
    let catalogue = try Catalogue(folder: folder)
    let pictures = Pictures(catalogue: catalogue, itemCount: itemCount)
    let server = try LoopbackServer()
    for (path, answers) in pictures.answers(isSlow: false, requested: []) { server.answer(path, answers) }
    let base = server.baseURL
    let listings = (1...itemCount).map { Listing(item: $0, photo: catalogue.photo(ofItem: $0), base: base) }
    let feed = try JSONEncoder().encode(["items": listings])
    server.answer("/feed.json", .ok(feed, contentType: "application/json"))
    self.server = server
    self.pictures = pictures
    feedURL = server.url("/feed.json")
  }

  /// Sends the pictures that are held.
  public func letGo() { pictures.gate.open() }

  /// Whether pictures come as over a slow line: each after a while, and then 160 KB of it a second.
  @MainActor public var isSlow = false {
    didSet {
      let requested = Set(server.requests.map(\.path))
      for (path, answers) in pictures.answers(isSlow: isSlow, requested: requested) { server.answer(path, answers) }
    }
  }

  /// How often the picture of this URL was asked for.
  public func requests(of url: String) -> Int { server.requestCount(URL(string: url)?.path) }

  /// How often pictures were asked for, retries among them.
  public var pictureRequests: Int { server.requests.count { $0.path.hasPrefix("/prints/") } }

  /// How many different pictures were asked for.
  public var picturesAskedFor: Int { Set(server.requests.map(\.path).filter { $0.hasPrefix("/prints/") }).count }

  public func stop() { server.stop() }
}
