import Foundation
import UIKitStandIn

extension CGImage {
  /// Applies a Lanczos filter with the given number of lobes, in double precision and weighted by alpha, by the simplest method.
  /// - Parameter averaging: whether groups of pixels are averaged first if a side shrinks to a quarter or less.
  func resampled(to size: PixelSize, lobes: Double, averaging: Bool = false) -> CGImage? {
    let across = Axis(width, to: size.width, lobes, averaging), down = Axis(height, to: size.height, lobes, averaging)
    let rows = (0..<height).map { y in
      across.applied(
        to: (0..<width).map { x in
          let pixel = SIMD4<Double>(pixel(x, y))
          return SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w)
        })
    }
    let columns = (0..<size.width).map { x in down.applied(to: rows.map { $0[x] }) }
    return CGImage.drawn(size.width, size.height) { x, y in
      let sum = columns[x][y]
      guard sum.w > 0 else { return .zero }
      let pixel = SIMD4(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w)
      return Pixel((pixel + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)).rounded(.down))
    }
  }

  /// Averages areas by the simplest method. Each target pixel is the mean of the source pixels, weighted by their overlap and by alpha.
  func averaged(to size: PixelSize) -> CGImage? {
    func overlap(_ target: Int, _ source: Int, _ ratio: Double) -> Double {
      max(0, min(Double(target + 1) * ratio, Double(source + 1)) - max(Double(target) * ratio, Double(source)))
    }
    let (across, down) = (Double(width) / Double(size.width), Double(height) / Double(size.height))
    return CGImage.drawn(size.width, size.height) { x, y in
      var color = SIMD4<Double>.zero
      for sourceY in Int(Double(y) * down)..<min(height, Int((Double(y + 1) * down).rounded(.up)) + 1) {
        for sourceX in Int(Double(x) * across)..<min(width, Int((Double(x + 1) * across).rounded(.up)) + 1) {
          let weight = overlap(x, sourceX, across) * overlap(y, sourceY, down)
          let pixel = SIMD4<Double>(pixel(sourceX, sourceY))
          color += SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w) * weight
        }
      }
      guard color.w > 0 else { return .zero }
      let mean = SIMD4(color.x / color.w, color.y / color.w, color.z / color.w, color.w / (across * down))
      return Pixel((mean + 0.5).rounded(.down))
    }
  }

  /// Returns the peak signal-to-noise ratio of the colors in decibels, or nil if the sizes differ. The ratio of equal images is infinite.
  func peakSignalToNoise(against other: CGImage) -> Double? {
    guard width == other.width, height == other.height else { return nil }
    let squares = zip(bytes, other.bytes).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    return 10 * log10(255 * 255 * Double(width * height * 3) / Double(squares))
  }
}

/// The weights for resampling the pixels along one axis.
private struct Axis {
  /// The number of neighboring pixels that are averaged before the weights are applied.
  let fold: Int
  let weights: [(first: Int, weights: [Double])]

  init(_ length: Int, to target: Int, _ lobes: Double, _ averaging: Bool) {
    let ratio = Double(length) / Double(target)
    let fold = averaging && ratio >= 4 ? Int(ratio / 2) : 1
    let count = (length + fold - 1) / fold
    let step = ratio / Double(fold), scale = max(1, step)
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    self.fold = fold
    weights = (0..<target).map { index in
      let center = (Double(index) + 0.5) * step
      let first = max(0, Int((center - lobes * scale).rounded(.down))), end = min(count, Int((center + lobes * scale).rounded(.up)))
      let raw = (first..<end).map { place in
        let x = (Double(place) + 0.5 - center) / scale
        let part = min(1, Double(length) / Double(fold) - Double(place))
        return abs(x) < lobes ? sinc(x) * sinc(x / lobes) * part : 0
      }
      let sum = raw.reduce(0, +)
      return (first, raw.map { $0 / sum })
    }
  }

  func applied(to pixels: [SIMD4<Double>]) -> [SIMD4<Double>] {
    let folded = stride(from: 0, to: pixels.count, by: fold).map { start in
      let part = pixels[start..<min(start + fold, pixels.count)]
      return part.reduce(.zero, +) / Double(part.count)
    }
    return weights.map { first, weights in
      weights.enumerated().reduce(SIMD4<Double>.zero) { $0 + folded[first + $1.offset] * $1.element }
    }
  }
}
