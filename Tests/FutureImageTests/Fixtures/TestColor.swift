import Foundation

@testable import FutureImage

/// The color of an image's first pixel, by which tests distinguish images.
struct TestColor: Hashable, Sendable {
  var red = 0
  var green = 0
  var blue = 0

  static let red = TestColor(red: 250)
  static let blue = TestColor(blue: 250)

  func jpeg(_ width: Int = 64, _ height: Int = 48) -> Data {
    SampleImage.jpeg(width, height, red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
  }

  /// Whether the colors are almost equal. JPEG changes a color a little.
  func isNearly(_ other: TestColor?) -> Bool {
    guard let other else { return false }
    return max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue)) <= 12
  }
}

extension UIImage {
  var color: TestColor? {
    guard let pixel = cgImage.flatMap({ FutureImage.PixelBuffer($0, scale: 1) })?[0, 0] else { return nil }
    return TestColor(red: Int(pixel.x), green: Int(pixel.y), blue: Int(pixel.z))
  }
}

extension FutureImage.Fitting {
  /// A square box, in pixels.
  static func square(_ edge: Int) -> FutureImage.Fitting { .fit(width: edge, height: edge) }
}
