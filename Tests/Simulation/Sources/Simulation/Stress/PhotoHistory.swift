@testable import FutureImage

/// A history of the photos with which the app replaced one image of a server, and of the reloads of that image. It checks the images that
/// are shown.
///
/// Each call has a beginning and an end. A photo is shown until another photo is set, or until a reload gets a newer image. If the server
/// still has the image from before the photo, it answers a reload with 304, and the photo stays.
struct PhotoHistory {
  private struct Call {
    let began: Int
    let ended: Int
  }

  private var photos: [Int: Call] = [:]
  private var reloads: [Call] = []

  /// Returns an image that no server has. The images of the numbers from 0 to 99 differ.
  static func picture(_ photo: Int) -> UIImage {
    let color = color(photo)
    return SampleImage.image(red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
  }

  /// Returns the last photo of that color; nil if no photo has the color.
  static func photo(of color: TestColor, among photos: some Sequence<Int>) -> Int? {
    photos.filter { Self.color($0).isNearly(color) }.max()
  }

  private static func color(_ photo: Int) -> TestColor { TestColor(red: 25 * (photo % 10), green: 240, blue: 25 * (photo / 10 % 10)) }

  mutating func noteSet(_ photo: Int, from began: Int, to ended: Int) { photos[photo] = Call(began: began, ended: ended) }

  /// Records a reload that succeeded.
  mutating func noteReload(from began: Int, to ended: Int) { reloads.append(Call(began: began, ended: ended)) }

  /// Checks an image that is shown after the end of all calls.
  /// - Parameter color: the color of the image; nil if there is no image.
  /// - Returns: the fault; nil if the image is right.
  func fault(of color: TestColor?) -> String? {
    guard let color else { return "there is no image" }
    guard let photo = Self.photo(of: color, among: photos.keys), let call = photos[photo] else {
      let lost = photos.sorted { $0.key < $1.key }.first { photo in reloads.allSatisfy { $0.ended < photo.value.began } }
      return lost.map { "photo \($0.key) was set after the last reload, and the server's image is shown" }
    }
    let newer = photos.filter { $0.value.began > call.ended }.keys.min()
    return newer.map { "photo \(photo) is shown, and photo \($0) was set later" }
  }
}
