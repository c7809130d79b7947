import Foundation
import FutureImageTesting

@testable import FutureImage

extension FutureImage.PixelBuffer {
  /// Creates a buffer from a closure that returns the pixel at each position.
  init(_ width: Int, _ height: Int, scale: CGFloat = 1, _ pixel: (Int, Int) -> SIMD4<UInt8>) {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { for channel in 0..<4 { bytes.append(pixel(x, y)[channel]) } }
    }
    // The initializer cannot return nil here, because the number of bytes matches the size, and no test uses an empty size.
    self = Self(width: width, height: height, scale: scale, bytes: bytes) ?? .none
  }

  /// Creates a row of grays.
  init(row: [UInt8]) {
    self.init(row.count, 1) { x, _ in SIMD4(row[x], row[x], row[x], 255) }
  }

  static func plain(_ width: Int, _ height: Int, _ pixel: SIMD4<UInt8>) -> Self {
    Self(width, height) { _, _ in pixel }
  }

  static func noise(_ width: Int, _ height: Int, seed: UInt64, isOpaque: Bool = true) -> Self {
    var random = SeededGenerator(seed: seed)
    return Self(width, height) { _, _ in
      let bytes = random.bytes(4)
      return SIMD4(bytes[0], bytes[1], bytes[2], isOpaque ? 255 : bytes[3])
    }
  }

  /// Returns the image in a fixture file; nil if the file is missing or is not an image.
  static func fixture(_ path: String) -> Self? {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.appendingPathComponent("Fixtures").appendingPathComponent(path)
    return UIImage(contentsOfFile: file.path)?.cgImage.flatMap { Self($0, scale: 1) }
  }

  private static var none: Self { preconditionFailure("an image without pixels") }

  var reds: [UInt8] { stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] } }
  var alphas: [UInt8] { stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] } }

  /// The means of red, green, and blue, each multiplied by alpha, and the mean of alpha. All means are in 0...255.
  var mean: [Double] {
    var sums = [0.0, 0, 0, 0]
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let alpha = Double(bytes[start + 3])
      for channel in 0..<3 { sums[channel] += Double(bytes[start + channel]) * alpha / 255 }
      sums[3] += alpha
    }
    return sums.map { $0 / Double(width * height) }
  }

  /// Returns the similarity of two images in decibels. Compares alpha, and the colors multiplied by alpha. The similarity of equal images
  /// is infinite.
  func likeness(_ other: Self) -> Double {
    guard (width, height) == (other.width, other.height) else { return -.infinity }
    var sum = 0.0
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let (mine, theirs) = (Double(bytes[start + 3]), Double(other.bytes[start + 3]))
      for channel in 0..<3 {
        let difference = (Double(bytes[start + channel]) * mine - Double(other.bytes[start + channel]) * theirs) / 255
        sum += difference * difference
      }
      sum += (mine - theirs) * (mine - theirs)
    }
    return 10 * log10(255 * 255 * Double(bytes.count) / sum)
  }

  func after(_ transform: FutureImage.Transform) throws -> Self {
    let plan = FutureImage.Transform.Plan(
      transform, fullSize: FutureImage.PixelSize(width: width, height: height),
      points: CGSize(width: CGFloat(width) / scale, height: CGFloat(height) / scale))
    return try transform.apply(to: self, plan, at: .full).buffer
  }
}

extension FutureImage.Transform {
  /// Returns a custom transform that changes the pixels with the closure.
  static func customPixels(
    _ name: String, _ body: @escaping @Sendable (FutureImage.PixelBuffer) throws -> FutureImage.PixelBuffer
  ) -> Self {
    .custom(name) { image in
      // The library calls a transform only with images that have pixels.
      guard let bitmap = image.cgImage, let buffer = FutureImage.PixelBuffer(bitmap, scale: image.scale) else { return image }
      let changed = try body(buffer)
      guard let result = changed.makeImage() else { return UIImage() }
      return UIImage(cgImage: result, scale: changed.scale, orientation: .up)
    }
  }
}
