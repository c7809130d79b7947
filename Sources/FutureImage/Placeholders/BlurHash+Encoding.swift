/// The encoder, for the format that https://github.com/woltapp/blurhash/blob/master/Algorithm.md describes. Rounding is that of the
/// project's encoder in C (`C/encode.c`).
extension BlurHash {
  /// Returns the hash of an image.
  ///
  /// The format's own encoder takes the cosine at the leading edge of each pixel. This encoder takes the mean of the cosine over the pixel.
  /// The results agree for images of many pixels. But at the leading edges of few pixels, the cosines do not add up to zero. So with the
  /// format's own encoder, the hash of a small white image has a gray corner, and the hash of a single white pixel has black parts.
  /// - Parameters:
  ///   - image: the pixels. Transparent parts get the average color, in linear light.
  ///   - columns: the number of components across, in 1...9.
  ///   - rows: the number of components down, in 1...9.
  static func text(of image: FutureImage.PixelBuffer, columns: Int, rows: Int) -> String {
    let components = components(of: image, columns: columns, rows: rows)
    let average = components[0]
    let others = components.dropFirst()
    let greatest = others.map { max(abs($0.x), abs($0.y), abs($0.z)) }.max()
    let scale = greatest.map { Int(min(max(($0 * 166 - 0.5).rounded(.down), 0), 82)) } ?? 0

    var text = digits(of: columns - 1 + (rows - 1) * mostComponents, count: 1) + digits(of: scale, count: 1)
    let levels = [average.x, average.y, average.z].map { Int(level($0)) }
    text += digits(of: levels.reduce(0) { $0 << 8 | $1 }, count: 4)
    for component in others {
      let scaled = component * 166 / Double(scale + 1)
      text += digits(of: [scaled.x, scaled.y, scaled.z].map(step).reduce(0) { $0 * 19 + $1 }, count: 2)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the components in linear light, row by row; the first is the average color.
  private static func components(of image: FutureImage.PixelBuffer, columns: Int, rows: Int) -> [SIMD3<Double>] {
    let across = means(columns, image.width)
    let down = means(rows, image.height)
    let background = averageColor(of: image)
    var components = [SIMD3<Double>](repeating: .zero, count: columns * rows)
    for y in 0..<image.height {
      var sums = [SIMD3<Double>](repeating: .zero, count: columns)
      for x in 0..<image.width {
        let (color, alpha) = light(image[x, y])
        let whole = color + background * (1 - alpha)
        for column in 0..<columns { sums[column] += whole * across[x * columns + column] }
      }
      for row in 0..<rows {
        for column in 0..<columns { components[row * columns + column] += sums[column] * down[y * rows + row] }
      }
    }
    let share = 1 / Double(image.width * image.height)
    return components.enumerated().map { $0.element * ($0.offset == 0 ? share : 2 * share) }
  }

  /// Returns the mean of the cosine over each pixel, for each component: the mean of cos(π × position × component / pixels), for positions
  /// from the pixel's leading edge to its trailing edge. It is the cosine in the middle, times sin(h) / h, where h is half of the angle
  /// between the edges.
  private static func means(_ components: Int, _ pixels: Int) -> [Double] {
    (0..<pixels).flatMap { pixel in
      (0..<components).map { component in
        guard component > 0 else { return 1 }
        let half = Double.pi * Double(component) / Double(2 * pixels)
        return cos(half * Double(2 * pixel + 1)) * sin(half) / half
      }
    }
  }

  /// Returns the average of the colors in linear light, weighted by their alpha; black for an image without any opacity.
  private static func averageColor(of image: FutureImage.PixelBuffer) -> SIMD3<Double> {
    var (sum, opacity) = (SIMD3<Double>.zero, 0.0)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let (color, alpha) = light(image[x, y])
        sum += color
        opacity += alpha
      }
    }
    return opacity > 0 ? sum / opacity : .zero
  }

  /// Returns the color of a pixel in linear light, multiplied by its alpha, and the alpha.
  private static func light(_ pixel: SIMD4<UInt8>) -> (color: SIMD3<Double>, alpha: Double) {
    let alpha = Double(pixel.w) / 255
    return (SIMD3(linearLevels[Int(pixel.x)], linearLevels[Int(pixel.y)], linearLevels[Int(pixel.z)]) * alpha, alpha)
  }

  /// The linear light of each level of sRGB.
  private static let linearLevels = (0...255).map(linear)

  /// Returns one of the 19 steps for a value from -1 to 1. The steps divide the range of the value's square root evenly.
  private static func step(_ value: Double) -> Int {
    let root = value < 0 ? -(-value).squareRoot() : value.squareRoot()
    return Int(min(max((root * 9 + 9.5).rounded(.down), 0), 18))
  }
}
