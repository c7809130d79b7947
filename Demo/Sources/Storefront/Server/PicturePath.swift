/// The paths of the shop's images, such as `/prints/0007/red-door.jpg` and `/prints/0007/close-up-2.jpg`. The path of an animated image
/// ends in `.webp`.
enum PicturePath {
  static func folder(ofItem number: Int) -> String {
    let digits = String(number)
    return "prints/" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// - Parameter number: the number of the close-up, from 1.
  static func closeUp(_ number: Int) -> String { "close-up-\(number).jpg" }
}
