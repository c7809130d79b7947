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

    /// "red-door" of "02-red-door.jpg".
    var slug: String {
      String(file.dropLast(".jpg".count).drop { $0.isNumber || $0 == "-" })
    }
  }

  struct CloseUp: Decodable, Sendable {
    let file: String
    let width: Int
    let height: Int
  }

  let folder: URL
  let photos: [Photo]

  init(folder: URL) throws {
    self.folder = folder
    photos = try JSONDecoder().decode([Photo].self, from: Data(contentsOf: folder.appendingPathComponent("catalog.json")))
  }

  /// The photo that the item of this number shows: a walk through all of them that starts elsewhere in each round, so that neighbours
  /// differ and no column repeats.
  func photo(ofItem number: Int) -> Photo {
    let index = number - 1
    return photos[(index * 16 + index / photos.count * 5) % photos.count]
  }
}
