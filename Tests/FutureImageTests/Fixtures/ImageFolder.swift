import Foundation
import FutureImage

/// A folder with many small images and some large images. Each image is identified by its color. JPEG and PNG files alternate.
struct ImageFolder: Sendable {
  /// The folder that all tests share.
  static let shared = Result { try ImageFolder(count: 2_000) }

  let folder = Scratch.folder()
  let count: Int

  private init(count: Int) throws {
    self.count = count
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // This file is longer than the data that a server sends at once.
    try SampleImage.noise(400, 300).write(to: folder.appending(path: "noise.jpg"))
    for number in 0..<count { try Self.body(number).write(to: folder.appending(path: Self.name(number))) }
  }

  static func name(_ number: Int) -> String { number % 2 == 0 ? "\(number).jpg" : "\(number).png" }

  static func color(_ number: Int) -> TestColor {
    TestColor(red: number % 10 * 25, green: number / 10 % 10 * 25, blue: number / 100 % 21 * 12)
  }

  /// Returns the width of an image. Every hundredth image is large.
  static func width(_ number: Int) -> Int { number % 100 == 50 ? 600 + number / 100 : 8 + number % 7 }

  static func isRight(_ image: UIImage, _ number: Int) -> Bool {
    image.cgImage?.width == width(number) && color(number).isNearly(image.color)
  }

  /// Returns the contents of the file of an image.
  static func body(_ number: Int) throws -> Data {
    let (color, width) = (color(number), width(number))
    let image = SampleImage.image(width, width > 500 ? 400 : 8, red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
    guard let data = number % 2 == 0 ? image.jpegData(compressionQuality: 1) : image.pngData() else { throw CocoaError(.fileWriteUnknown) }
    return data
  }
}
