import Foundation

/// The photos that the shop prints, from `catalog.json` in their folder.
struct Catalog: Sendable {
  struct Photo: Decodable, Sendable {
    let file: String
    let title: String
    let width: Int
    let height: Int
    let credit: String
    let license: String
    let closeUps: [CloseUp]

    /// The file's name without its number: "red-door.jpg" for "02-red-door.jpg".
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
  /// The only animated photo. It belongs to one item and may be anywhere in the catalog.
  let animated: Photo?

  init(folder: URL) throws {
    self.folder = folder
    let all = try JSONDecoder().decode([Photo].self, from: Data(contentsOf: folder.appendingPathComponent("catalog.json")))
    photos = all.filter { !$0.isAnimated }
    animated = all.first { $0.isAnimated }
  }

  /// Returns the photo of the item with this number. The items are divided into rounds of as many items as there are photos. Each round
  /// uses every photo once, because the step of 16 photos and the number of photos, 39, have no common divisor. Each round starts at a
  /// different photo. So neighboring items differ, and no column of the grid shows the same photos again and again.
  func photo(ofItem number: Int) -> Photo {
    if number == Shop.animatedItem, let animated { return animated }
    let index = number - 1
    return photos[(index * 16 + index / photos.count * 5) % photos.count]
  }
}
