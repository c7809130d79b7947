import FutureImage

/// The URLs of the images, which replace the URLs of Kingfisher's demo.
enum Samples {
  static let loading = urls("loading", 10, "jpg")
  static let highResolution = urls("high-resolution", 20, "jpg")
  static let animated = urls("animated", 3, "gif")
  static let roses = urls("roses", 699, "jpg")

  private static func urls(_ folder: String, _ count: Int, _ type: String) -> [URL] {
    (1...count).compactMap { URL(string: "https://images.example/\(folder)/\($0).\(type)") }
  }
}
