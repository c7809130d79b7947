/// The size of a placeholder's bitmap in pixels, and the number of its pixels per point. This number is so low that the small bitmap is
/// displayed as large as the awaited image.
struct PlaceholderGrid: Sendable, Hashable {
  /// The longest side in pixels.
  static let longestSide = 32
  private static let shortestLongerSide = 20

  let size: FutureImage.PixelSize
  /// Pixels per point.
  let scale: CGFloat

  /// Creates the grid for a size in points. The longer side has 20 to 32 pixels. Of all such grids, this is the one with the closest aspect
  /// ratio or, if several are equally close, the largest of them. In points, the longer side is exact, and the shorter side is as exact as
  /// the ratio.
  ///
  /// | points | pixels | pixels per point |
  /// | --- | --- | --- |
  /// | 300 × 300 | 32 × 32 | 32 / 300 |
  /// | 300 × 200 | 30 × 20 | 1 / 10 |
  /// | 90 × 160 | 18 × 32 | 1 / 5 |
  /// | 5000 × 1 | 32 × 1 | 32 / 5000 |
  init(covering points: CGSize) {
    let longer = Double(max(points.width, points.height))
    size = Self.size(aspectRatio: Double(points.width) / Double(points.height))
    scale = CGFloat(Double(max(size.width, size.height)) / longer)
  }

  /// Creates the grid for that aspect ratio, with one pixel per point.
  init(aspectRatio: Double) {
    size = Self.size(aspectRatio: aspectRatio)
    scale = 1
  }

  private static func size(aspectRatio: Double) -> FutureImage.PixelSize {
    let stretch = max(aspectRatio, 1 / aspectRatio)
    func error(_ side: (longer: Int, shorter: Int)) -> Double { abs(log(Double(side.longer) / Double(side.shorter) / stretch)) }
    var best = (longer: longestSide, shorter: 1)
    for longer in (shortestLongerSide...longestSide).reversed() {
      let candidate = (longer: longer, shorter: max(1, Int((Double(longer) / stretch).rounded())))
      // Equal ratios may differ by rounding errors, which are less than this margin. Of several such grids, the first is the largest.
      if error(candidate) < error(best) - 1e-9 { best = candidate }
    }
    return aspectRatio > 1
      ? FutureImage.PixelSize(width: best.longer, height: best.shorter) : FutureImage.PixelSize(width: best.shorter, height: best.longer)
  }
}
