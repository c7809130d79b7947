extension FutureImage.Transform {
  /// The treatment of an image whose ratio differs from that of the box to which it is resized.
  public enum ResizeMode: Sendable {
    /// The whole image fits inside the box.
    case fit
    /// The image covers the box. The parts beyond it are cut off equally on both sides.
    case fill
    /// Each side is resized independently.
    case stretch
  }

  /// Resizes the image to a size in points, with a good filter.
  ///
  ///     FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill))
  ///
  /// Only the pixels that the result requires are decoded. A view gets the pixels that it shows. A request for the full image gets `scale`
  /// pixels per point, or as many as the image has.
  /// - Parameters:
  ///   - size: the size of the box, in points. With ``ResizeMode/fit``, one side may be infinite. The image then has the given width or
  ///     height in its own ratio. Any other size that is not positive and finite leaves the image unchanged, and the log reports it once.
  ///   - mode: the treatment of an image whose ratio differs.
  ///   - enlarges: whether a smaller image is enlarged, with interpolated pixels. If not, the result is as large as the image's own points
  ///     and pixels allow, in the requested ratio.
  ///   - scale: the maximum number of pixels per point. The densest displays have 3.
  public static func resize(
    to size: CGSize, _ mode: ResizeMode = .fit, enlarges: Bool = false, scale: CGFloat = 3
  ) -> Self {
    reportUnlessPossible(size, mode, scale: scale)
    let name = "resize to \(size.width) × \(size.height) points of \(scale) pixels, \(mode)\(enlarges ? ", enlarging" : "")"
    return Self(name, .frame { Frame(resizing: $0, to: Vector(size), mode, enlarges: enlarges, scale: Double(scale)) })
  }

  /// Resizes the image to a size in pixels. Each pixel of the result is a point, as with ``resize(to:_:enlarges:scale:)`` and a scale of 1.
  public static func resize(toPixels size: FutureImage.PixelSize, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: size.width, height: size.height), mode, enlarges: enlarges, scale: 1)
  }

  /// Unavailable, because two numbers do not say whether they are points or pixels. This declaration lets the compiler suggest both calls.
  @available(*, unavailable, message: "Write .resize(to: CGSize(width:height:)) for points, or .resize(toPixels:) for pixels.")
  public static func resize(_ width: CGFloat, _ height: CGFloat, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: width, height: height), mode, enlarges: enlarges)
  }

  /// Unavailable, because two numbers do not say whether they are points or pixels. This declaration lets the compiler suggest both calls.
  @available(*, unavailable, message: "Write .resize(to: CGSize(width:height:)) for points, or .resize(toPixels:) for pixels.")
  public static func resize(width: CGFloat, height: CGFloat, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: width, height: height), mode, enlarges: enlarges)
  }

  /// Reports a resize that does nothing.
  static func reportUnlessPossible(_ size: CGSize, _ mode: ResizeMode, scale: CGFloat, to warnings: DeveloperWarnings = .shared) {
    let isPossible = Frame.box(Vector(size), mode).isArea && scale > 0 && scale.isFinite
    guard !isPossible else { return }
    let text = warning(about: size, mode, scale)
    warnings.report(text, once: text)
  }

  /// The message about a resize that does nothing.
  static func warning(about size: CGSize, _ mode: ResizeMode, _ scale: CGFloat) -> String {
    "FutureImage: a resize to \(size.width) × \(size.height) points of \(scale) pixels, \(mode), does not change its image. Give it "
      + "sides and a scale that are positive and finite; with .fit one side may be infinite. It is reported once."
  }
}

extension FutureImage.Transform.Frame {
  typealias Vector = FutureImage.Transform.Vector

  /// The maximum length of a side in calculations. A square with this side has 10¹² points, far more than an image may have pixels.
  private static let mostPoints = 1e6

  /// Creates the frame of a resize.
  ///
  /// | points | box | mode | part | size | size if it enlarges |
  /// | --- | --- | --- | --- | --- | --- |
  /// | 400 × 300 | 100 × 100 | fit | all | 100 × 75 | 100 × 75 |
  /// | 400 × 300 | 100 × 100 | fill | 300 × 300 | 100 × 100 | 100 × 100 |
  /// | 400 × 300 | 100 × 100 | stretch | all | 100 × 100 | 100 × 100 |
  /// | 40 × 30 | 100 × 100 | fit | all | 40 × 30 | 100 × 75 |
  /// | 40 × 30 | 100 × 100 | fill | 30 × 30 | 30 × 30 | 100 × 100 |
  /// | 40 × 30 | 100 × 100 | stretch | all | 30 × 30 | 100 × 100 |
  /// | 400 × 300 | 100 × ∞ | fit | all | 100 × 75 | 100 × 75 |
  ///
  /// Each side of the size is a whole number of pixels.
  init(resizing points: Vector, to box: Vector, _ mode: FutureImage.Transform.ResizeMode, enlarges: Bool, scale: Double) {
    var box = Self.box(box, mode)
    guard points.isArea, box.isArea, scale > 0, scale.isFinite else {
      self.init(extent: points, size: points)
      return
    }
    box = pointwiseMin(box, Vector(repeating: Self.mostPoints))
    let scale = min(scale, 1000)
    if mode == .fit { box = points * (box / points).min() }
    if !enlarges { box *= min(1, (points / box).min()) }
    let extent = mode == .fill ? box / (box / points).max() : points
    let size = pointwiseMax((box * scale).rounded(.toNearestOrAwayFromZero), .one) / scale
    self.init(origin: (points - extent) / 2, extent: extent, size: size, limit: scale, enlarges: enlarges)
  }

  /// Returns the box. If one side is infinite and the mode is `.fit`, a large number replaces that side, because the other side determines
  /// the size.
  fileprivate static func box(_ box: Vector, _ mode: FutureImage.Transform.ResizeMode) -> Vector {
    guard mode == .fit, (box.x == .infinity) != (box.y == .infinity) else { return box }
    return Vector(box.x == .infinity ? mostPoints : box.x, box.y == .infinity ? mostPoints : box.y)
  }
}
