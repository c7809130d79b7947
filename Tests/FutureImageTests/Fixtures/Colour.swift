import Foundation

@testable import FutureImage

/// The color of an image's first pixel, which distinguishes images.
struct Colour: Hashable, Sendable {
  var red = 0
  var green = 0
  var blue = 0

  static let red = Colour(red: 250)
  static let blue = Colour(blue: 250)

  func jpeg(_ width: Int = 64, _ height: Int = 48) -> Data {
    Picture.jpeg(width, height, red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
  }

  /// Whether the colors are almost equal: JPEG changes a color a little.
  func isNearly(_ other: Colour?) -> Bool {
    guard let other else { return false }
    return max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue)) <= 12
  }
}

extension UIImage {
  var colour: Colour? {
    guard let pixel = cgImage.flatMap({ FutureImage.PixelBuffer($0, scale: 1) })?[0, 0] else { return nil }
    return Colour(red: Int(pixel.x), green: Int(pixel.y), blue: Int(pixel.z))
  }
}

extension FutureImage.Fitting {
  /// A square box, in pixels.
  static func square(_ edge: Int) -> FutureImage.Fitting { .fit(width: edge, height: edge) }
}
