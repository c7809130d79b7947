extension FutureImage.Transform {
  /// What happens where a picture and the box it is resized to differ in their ratio.
  public enum ResizeMode: String, Sendable, Hashable {
    /// The whole picture inside the box.
    case fit
    /// The box covered; what lies beyond it is cut off, alike on both sides.
    case fill
    /// Each side by itself.
    case stretch
  }

  /// The picture at another size in points, filtered well.
  ///
  ///     FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill))
  ///
  /// No more is decoded than that takes. A view gets the pixels that it shows of it; whoever asks for the full picture gets `scale` pixels
  /// a point, or as many as there are. A size that is not positive and finite leaves the picture as it is.
  /// - Parameters:
  ///   - size: of the box, in points.
  ///   - mode: what happens where the ratios differ.
  ///   - enlarges: whether a smaller picture is made as large, with pixels made up between its own. If not, it gets as large as its own
  ///     points and pixels go, in the ratio asked for.
  ///   - scale: the most pixels a point; 3 is what the densest displays have.
  public static func resize(
    to size: CGSize, _ mode: ResizeMode = .fit, enlarges: Bool = false, scale: CGFloat = 3
  ) -> Self {
    let name = "resize to \(size.width) × \(size.height) points of \(scale) pixels, \(mode)\(enlarges ? ", enlarging" : "")"
    return Self(name, .frame { Frame(resizing: $0, to: Vector(size), mode, enlarges: enlarges, scale: Double(scale)) })
  }

  /// The picture at another size in pixels, each of them a point: ``resize(to:_:enlarges:scale:)`` with a scale of 1.
  public static func resize(toPixels size: FutureImage.PixelSize, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: size.width, height: size.height), mode, enlarges: enlarges, scale: 1)
  }
}

extension FutureImage.Transform.Frame {
  typealias Vector = FutureImage.Transform.Vector

  /// Bounds what is reckoned with; a picture of a thousandth of it would be refused for its pixels.
  private static let mostPoints = 1e6

  /// | points | box | mode | part | size | size if it enlarges |
  /// | --- | --- | --- | --- | --- | --- |
  /// | 400 × 300 | 100 × 100 | fit | all | 100 × 75 | 100 × 75 |
  /// | 400 × 300 | 100 × 100 | fill | 300 × 300 | 100 × 100 | 100 × 100 |
  /// | 400 × 300 | 100 × 100 | stretch | all | 100 × 100 | 100 × 100 |
  /// | 40 × 30 | 100 × 100 | fit | all | 40 × 30 | 100 × 75 |
  /// | 40 × 30 | 100 × 100 | fill | 30 × 30 | 30 × 30 | 100 × 100 |
  /// | 40 × 30 | 100 × 100 | stretch | all | 30 × 30 | 100 × 100 |
  ///
  /// The size is that of whole pixels.
  init(resizing points: Vector, to box: Vector, _ mode: FutureImage.Transform.ResizeMode, enlarges: Bool, scale: Double) {
    guard points.isArea, box.isArea, scale > 0, scale.isFinite else {
      self.init(extent: points, size: points)
      return
    }
    var box = pointwiseMin(box, Vector(repeating: Self.mostPoints))
    let scale = min(scale, 1000)
    if mode == .fit { box = points * (box / points).min() }
    if !enlarges { box *= min(1, (points / box).min()) }
    let extent = mode == .fill ? box / (box / points).max() : points
    let size = pointwiseMax((box * scale).rounded(.toNearestOrAwayFromZero), .one) / scale
    self.init(origin: (points - extent) / 2, extent: extent, size: size, limit: scale, enlarges: enlarges)
  }
}
