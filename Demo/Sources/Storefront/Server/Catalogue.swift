import Foundation

/// The photos that the shop prints, from `catalog.json` in their folder.
struct Catalogue: Sendable {
  struct Photo: Decodable, Sendable {
    let file: String
    let title: String
    let width: Int
    let height: Int
    let credit: String
    let license: String
    let closeUps: [CloseUp]

    /// "red-door.jpg" of "02-red-door.jpg".
    var name: String { String(file.drop { $0.isNumber || $0 == "-" }) }

    var isAnimated: Bool { file.hasSuffix(".webp") }
  }

  struct CloseUp: Decodable, Sendable {
    let file: String
    let width: Int
    let height: Int
  }

  let folder: URL
  let photos: [Photo]
  /// One item's, wherever it stands.
  let animated: Photo?

  init(folder: URL) throws {
    self.folder = folder
    let all = try JSONDecoder().decode([Photo].self, from: Data(contentsOf: folder.appendingPathComponent("catalog.json")))
    photos = all.filter { !$0.isAnimated }
    animated = all.first { $0.isAnimated }
  }

  /// The photo that the item of this number shows: a walk through all of them that starts elsewhere in each round, so that neighbours
  /// differ and no column repeats.
  func photo(ofItem number: Int) -> Photo {
    if number == Shop.animatedItem, let animated { return animated }
    let index = number - 1
    return photos[(index * 16 + index / photos.count * 5) % photos.count]
  }
}
