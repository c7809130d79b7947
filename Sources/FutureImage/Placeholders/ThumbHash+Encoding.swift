/// The encoder, for the format of https://github.com/evanw/thumbhash. Its formulas are those of the format's own encoders in JavaScript
/// and Rust.
extension ThumbHash {
  /// Returns the hash of an image: five bytes, one more if the image has alpha, and half a byte for each component but the constant
  /// components.
  static func bytes(of image: FutureImage.PixelBuffer) -> [UInt8] {
    let planes = Planes(image)
    let (width, height) = (image.width, image.height)
    let most = planes.hasAlpha ? 5 : 7
    func count(_ side: Int) -> Int { max(1, Int((Double(most * side) / Double(max(width, height))).rounded())) }
    let (columns, rows) = (count(width), count(height))
    let isLandscape = width > height
    let across = cosines(width)
    let down = cosines(height)
    func encode(_ values: [Double], columns: Int, rows: Int) -> EncodedChannel {
      EncodedChannel(values, Channel(constant: 0, columns: columns, rows: rows), across, down)
    }
    let luminance = encode(planes.luminance, columns: max(3, columns), rows: max(3, rows))
    let yellow = encode(planes.yellow, columns: 3, rows: 3)
    let red = encode(planes.red, columns: 3, rows: 3)
    let alpha = planes.hasAlpha ? encode(planes.alpha, columns: 5, rows: 5) : nil

    var header = step(luminance.constant, 63)
    header |= step((1 + yellow.constant) / 2, 63) << 6
    header |= step((1 + red.constant) / 2, 63) << 12
    header |= step(luminance.scale, 31) << 18
    header |= (planes.hasAlpha ? 1 : 0) << 23
    header |= (isLandscape ? rows : columns) << 24
    header |= step(yellow.scale, 63) << 27
    header |= step(red.scale, 63) << 33
    header |= (isLandscape ? 1 : 0) << 39
    var bytes = (0..<5).map { UInt8(truncatingIfNeeded: header >> ($0 * 8)) }
    if let alpha { bytes.append(UInt8(step(alpha.constant, 15) | step(alpha.scale, 15) << 4)) }

    var halves = luminance.halves(scaleSteps: 31) + yellow.halves(scaleSteps: 63) + red.halves(scaleSteps: 63)
    if let alpha { halves += alpha.halves(scaleSteps: 15) }
    for start in stride(from: 0, to: halves.count, by: 2) {
      bytes.append(halves[start] | (start + 1 < halves.count ? halves[start + 1] << 4 : 0))
    }
    return bytes
  }

  /// Returns the nearest of the steps from 0 to `steps`, for a value from 0 to 1.
  private static func step(_ value: Double, _ steps: Int) -> Int {
    Int((min(max(value, 0), 1) * Double(steps)).rounded())
  }

  /// The values of the pixels in each channel, row by row. Transparent parts have the average color, weighted by alpha.
  private struct Planes {
    private(set) var luminance: [Double] = []
    private(set) var yellow: [Double] = []
    private(set) var red: [Double] = []
    private(set) var alpha: [Double] = []
    let hasAlpha: Bool

    init(_ image: FutureImage.PixelBuffer) {
      let count = image.width * image.height
      let pixels = (0..<count).map { index in
        let pixel = image[index % image.width, index / image.width]
        return SIMD4(Double(pixel.x), Double(pixel.y), Double(pixel.z), Double(pixel.w)) / 255
      }
      var (sum, opacity) = (SIMD4<Double>.zero, 0.0)
      for pixel in pixels {
        sum += pixel * pixel.w
        opacity += pixel.w
      }
      hasAlpha = pixels.contains { $0.w < 1 }
      let average = opacity > 0 ? sum / opacity : .zero
      for pixel in pixels {
        let color = average * (1 - pixel.w) + pixel * pixel.w
        luminance.append((color.x + color.y + color.z) / 3)
        yellow.append((color.x + color.y) / 2 - color.z)
        red.append(color.x - color.y)
        alpha.append(pixel.w)
      }
    }
  }

  /// The components of one channel before they are rounded to half bytes.
  private struct EncodedChannel {
    private(set) var constant = 0.0
    /// The greatest absolute value of the other components.
    private(set) var scale = 0.0
    private var factors: [Double] = []

    /// - Parameters:
    ///   - values: the values of the pixels, row by row.
    ///   - grid: the numbers of components.
    ///   - across: the cosines of each column of pixels.
    ///   - down: the cosines of each row of pixels.
    init(_ values: [Double], _ grid: Channel, _ across: [[Double]], _ down: [[Double]]) {
      // The sums over a row of pixels are the same for all rows of components.
      let sums = down.indices.map { y in
        (0..<grid.columns).map { column in
          across.indices.reduce(0) { $0 + values[y * across.count + $1] * across[$1][column] }
        }
      }
      for row in 0..<grid.rows {
        for column in 0..<grid.count(inRow: row) {
          // A side with so few pixels does not determine this component. The format's own encoders compute it nevertheless, so their hash
          // of a single pixel contains waves.
          guard column < across.count, row < down.count else {
            factors.append(0)
            continue
          }
          let sum = down.indices.reduce(0) { $0 + sums[$1][column] * down[$1][row] }
          factors.append(sum / Double(values.count))
        }
      }
      constant = factors.removeFirst()
      scale = factors.map(abs).max() ?? 0
    }

    /// Returns the half bytes of all components but the constant. If the scale is rounded to zero, these components have no effect. Their
    /// half bytes are then zero, so that rounding errors do not change the hash of a plain image.
    func halves(scaleSteps: Int) -> [UInt8] {
      factors.map { step(scale, scaleSteps) == 0 ? 0 : UInt8(step((1 + $0 / scale) / 2, 15)) }
    }
  }
}
