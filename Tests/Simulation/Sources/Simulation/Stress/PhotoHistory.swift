@testable import FutureImage

/// The photos that were set in place of one image of a server, the reloads of that image, and a check of what is shown against both.
///
/// Each call lies between two moments. A photo is shown until another photo is set, and no longer than until the server has a newer image:
/// to a reload, it answers 304 while it still has the image from before the photo, and then the photo stays.
struct PhotoHistory {
  private struct Call {
    let began: Int
    let ended: Int
  }

  private var photos: [Int: Call] = [:]
  private var reloads: [Call] = []

  /// Returns an image that no server has. There are a hundred.
  static func picture(_ photo: Int) -> UIImage {
    let color = color(photo)
    return SampleImage.image(red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
  }

  /// Returns the last photo of that color; nil if it is none.
  static func photo(of color: TestColor, among photos: some Sequence<Int>) -> Int? {
    photos.filter { Self.color($0).isNearly(color) }.max()
  }

  private static func color(_ photo: Int) -> TestColor { TestColor(red: 25 * (photo % 10), green: 240, blue: 25 * (photo / 10 % 10)) }

  mutating func noteSet(_ photo: Int, from began: Int, to ended: Int) { photos[photo] = Call(began: began, ended: ended) }

  /// Records a reload that succeeded.
  mutating func noteReload(from began: Int, to ended: Int) { reloads.append(Call(began: began, ended: ended)) }

  /// - Returns: the fault of an image of that color, once all calls have ended.
  func fault(of color: TestColor?) -> String? {
    guard let color else { return "no image is there" }
    guard let photo = Self.photo(of: color, among: photos.keys), let call = photos[photo] else {
      let lost = photos.sorted { $0.key < $1.key }.first { photo in reloads.allSatisfy { $0.ended < photo.value.began } }
      return lost.map { "photo \($0.key) was set after the last reload, and the server's image is shown" }
    }
    let newer = photos.filter { $0.value.began > call.ended }.keys.min()
    return newer.map { "photo \(photo) is shown, and photo \($0) was set later" }
  }
}
