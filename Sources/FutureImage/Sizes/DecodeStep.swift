/// One of eleven sizes to which an image is reduced during its decode, so that views of nearly the same size share a decode.
///
/// The steps from 1/8 to 8/8 are the sizes that a JPEG decoder can produce by itself (libjpeg's `scale_num` of 8). Below 1/8, each step
/// halves the size.
///
/// | image | box | mode | step | decoded |
/// | --- | --- | --- | --- | --- |
/// | 768 × 512 | 160 × 160 | fill | 3/8 | 288 × 192 |
/// | 768 × 512 | 160 × 160 | fit | 2/8 | 192 × 128 |
/// | 5120 × 2880 | 160 × 160 | fit | 1/32 | 160 × 90 |
/// | 100 × 100 | 160 × 160 | fit | 8/8 | 100 × 100 |
struct DecodeStep: Hashable, Comparable, Sendable {
  /// The fraction of each side, in 64ths.
  let parts: UInt8

  static let full = DecodeStep(parts: 64)
  private static let ladder: [UInt8] = [1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64]

  private init(parts: UInt8) {
    self.parts = parts
  }

  /// Creates the smallest step at which an image of that size has at least one pixel for each pixel of the view.
  init(showing fullSize: FutureImage.PixelSize, _ fitting: FutureImage.Fitting) {
    let fraction: Double
    switch fitting {
    case .full: fraction = 1
    case .fit(let box): fraction = min(Double(box.width) / Double(fullSize.width), Double(box.height) / Double(fullSize.height))
    case .fill(let box): fraction = max(Double(box.width) / Double(fullSize.width), Double(box.height) / Double(fullSize.height))
    }
    self.init(fraction: fraction)
  }

  /// Creates the smallest step that retains at least that fraction of each side.
  init(fraction: Double) {
    // The tolerance ensures that a rounding error does not lead to the next larger step.
    let needed = fraction * 64 - 0.001
    self.init(parts: DecodeStep.ladder.first { Double($0) >= needed } ?? 64)
  }

  /// The fraction of each side that remains.
  var fraction: Double { Double(parts) / 64 }

  func size(of fullSize: FutureImage.PixelSize) -> FutureImage.PixelSize {
    func reduced(_ edge: Int) -> Int { max(1, (edge * Int(parts) + 63) / 64) }
    return FutureImage.PixelSize(width: reduced(fullSize.width), height: reduced(fullSize.height))
  }

  static func < (lhs: DecodeStep, rhs: DecodeStep) -> Bool { lhs.parts < rhs.parts }
}
