/// The weights of the source pixels from which each pixel of a longer or shorter line is computed.
///
/// A shorter line is made with Lanczos' kernel of three lobes, widened by the reduction so that every source pixel counts. A longer line is
/// made with Keys' cubic (a = −1/2), which overshoots less. Sources: C. Duchon, "Lanczos Filtering in One and Two Dimensions", 1979; R.
/// Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981.
struct ResamplingWeights {
  struct Span {
    var start: Int
    var count: Int
  }

  /// The source pixels of each target pixel. Starts and ends never decrease.
  private(set) var spans: [Span] = []
  /// The weights, `stride` for each target pixel. A pixel uses only the first of them, one for each source pixel in its span.
  private(set) var weights: [Float]
  let stride: Int

  /// - Parameters:
  ///   - source: the number of source pixels.
  ///   - origin: the start of the part to show, in pixels.
  ///   - extent: the length of that part, in pixels. It lies within the source.
  ///   - target: the number of target pixels.
  init(source: Int, origin: Double, extent: Double, target: Int) {
    let ratio = extent / Double(target)
    let widening = max(1, ratio)
    let kernel = ratio > 1 ? Self.lanczos : Self.cubic
    let reach = (ratio > 1 ? 3 : 2) * widening
    stride = min(source, Int(reach) * 2 + 2)
    weights = [Float](repeating: 0, count: target * stride)
    spans.reserveCapacity(target)
    var line = [Double](repeating: 0, count: stride)
    for index in 0..<target {
      let center = origin + (Double(index) + 0.5) * ratio
      // A source pixel contributes if its center is within `reach`. The clamps ensure that at least the nearest pixel contributes.
      let start = max(0, min(Int((center - reach + 0.5).rounded(.down)), source - 1))
      let end = max(start + 1, min(Int((center + reach + 0.5).rounded(.down)), source, start + stride))
      var sum = 0.0
      for tap in 0..<end - start {
        line[tap] = kernel((Double(start + tap) + 0.5 - center) / widening)
        sum += line[tap]
      }
      for tap in 0..<end - start { weights[index * stride + tap] = Float(line[tap] / sum) }
      spans.append(Span(start: start, count: end - start))
    }
  }

  static func lanczos(_ x: Double) -> Double {
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
  }

  static func cubic(_ x: Double) -> Double {
    let x = abs(x)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }
}

extension FutureImage.PixelBuffer {
  /// Returns a part of the image at another size. Filters first across, then down, and multiplies colors by their alpha.
  ///
  /// A row that was filtered across is stored only as long as the pass down needs it. So only the memory of a few rows is needed in
  /// addition to the target.
  /// - Parameters:
  ///   - origin: the origin of the part, in pixels.
  ///   - extent: the size of the part, in pixels. It lies within the image.
  /// - Returns: the part, with the scale of this buffer; nil for sizes that no buffer can have.
  func resampled(origin: SIMD2<Double>, extent: SIMD2<Double>, width: Int, height: Int) -> Self? {
    guard var target = Self(width: width, height: height, scale: scale) else { return nil }
    let across = ResamplingWeights(source: self.width, origin: origin.x, extent: extent.x, target: width)
    let down = ResamplingWeights(source: self.height, origin: origin.y, extent: extent.y, target: height)
    let first = across.spans.first?.start ?? 0
    let last = across.spans.last.map { $0.start + $0.count } ?? 0
    var line = [SIMD4<Float>](repeating: .zero, count: self.width)
    var ring = [SIMD4<Float>](repeating: .zero, count: width * down.stride)
    var sums = [SIMD4<Float>](repeating: .zero, count: width)
    var next = 0
    // All indices are those of pixels in the spans, which lie within the source. A span has at most `stride` rows, and the ring has
    // `stride` rows.
    bytes.withUnsafeBufferPointer { source in
      target.withBytes { target in
        line.withUnsafeMutableBufferPointer { line in
          ring.withUnsafeMutableBufferPointer { ring in
            sums.withUnsafeMutableBufferPointer { sums in
              for y in 0..<height {
                let span = down.spans[y]
                next = max(next, span.start)
                while next < span.start + span.count {
                  for x in first..<last { line[x] = PremultipliedPixel.read(source, (next * self.width + x) * 4) }
                  across.filter(line, into: ring, at: next % down.stride * width)
                  next += 1
                }
                for x in 0..<width { sums[x] = .zero }
                for tap in 0..<span.count {
                  let weight = down.weights[y * down.stride + tap]
                  let row = (span.start + tap) % down.stride * width
                  for x in 0..<width { sums[x] += ring[row + x] * weight }
                }
                for x in 0..<width { PremultipliedPixel.write(sums[x], to: target, at: (y * width + x) * 4) }
              }
            }
          }
        }
      }
    }
    return target
  }
}

extension ResamplingWeights {
  fileprivate func filter(
    _ line: UnsafeMutableBufferPointer<SIMD4<Float>>, into target: UnsafeMutableBufferPointer<SIMD4<Float>>, at start: Int
  ) {
    // There are as many spans as target pixels, and `stride` weights for each.
    weights.withUnsafeBufferPointer { weights in
      spans.withUnsafeBufferPointer { spans in
        for x in 0..<spans.count {
          let span = spans[x]
          // There are two sums, because each addition to a single sum would wait for the previous addition.
          var (even, odd) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
          for tap in Swift.stride(from: 0, to: span.count - 1, by: 2) {
            even += line[span.start + tap] * weights[x * stride + tap]
            odd += line[span.start + tap + 1] * weights[x * stride + tap + 1]
          }
          if span.count % 2 == 1 { even += line[span.start + span.count - 1] * weights[x * stride + span.count - 1] }
          target[start + x] = even + odd
        }
      }
    }
  }
}
