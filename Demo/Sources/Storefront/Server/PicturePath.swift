/// Where the shop's pictures are on the server: `/prints/0007/red-door.jpg`, `/prints/0007/close-up-2.jpg`, and an animated one ends in `.webp`.
struct PicturePath: Equatable {
  /// From 1.
  let item: Int
  /// Of a close-up, from 1; nil is the whole picture.
  let closeUp: Int?

  static func folder(ofItem number: Int) -> String {
    let digits = String(number)
    return "prints/" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Nil if the path names no picture of a shop with so many items.
  init?(_ path: String, items: Int) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "prints", let item = Int(parts[2]), (1...items).contains(item),
      let dot = parts[3].lastIndex(of: "."), ["jpg", "webp"].contains(parts[3][dot...].dropFirst())
    else { return nil }
    self.item = item
    let name = parts[3][..<dot]
    closeUp = name.hasPrefix("close-up-") ? Int(name.dropFirst("close-up-".count)) : nil
  }
}
