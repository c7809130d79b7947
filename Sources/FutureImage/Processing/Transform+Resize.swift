extension FutureImage.Transform {
  /// The treatment of an image whose ratio differs from that of the box to which it is resized.
  public enum ResizeMode: Sendable {
    /// The whole image fits inside the box.
    case fit
    /// The image covers the box. The parts beyond it are cut off equally on both sides.
    case fill
    /// Each side is resized by itself.
    case stretch
  }

  /// Resizes the image to a size in points, with a good filter.
  ///
  ///     FutureImage(at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill))
  ///
  /// No more pixels are decoded than that takes. A view gets the pixels that it shows. A request for the full image gets `scale` pixels per
  /// point, or as many as there are.
  /// - Parameters:
  ///   - size: the size of the box, in points. With ``ResizeMode/fit``, one side may be infinite: the image then has the given width or
  ///     height in its own ratio. Any other size that is not positive and finite leaves the image unchanged, and the log says so once.
  ///   - mode: the treatment of an image whose ratio differs.
  ///   - enlarges: whether a smaller image is enlarged, with pixels made up between its own. If not, it becomes as large as its own points
  ///     and pixels allow, in the requested ratio.
  ///   - scale: the most pixels per point; the densest displays have 3.
  public static func resize(
    to size: CGSize, _ mode: ResizeMode = .fit, enlarges: Bool = false, scale: CGFloat = 3
  ) -> Self {
    reportUnlessPossible(size, mode, scale: scale)
    let name = "resize to \(size.width) × \(size.height) points of \(scale) pixels, \(mode)\(enlarges ? ", enlarging" : "")"
    return Self(name, .frame { Frame(resizing: $0, to: Vector(size), mode, enlarges: enlarges, scale: Double(scale)) })
  }

  /// Resizes the image to a size in pixels, each of them a point: ``resize(to:_:enlarges:scale:)`` with a scale of 1.
  public static func resize(toPixels size: FutureImage.PixelSize, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: size.width, height: size.height), mode, enlarges: enlarges, scale: 1)
  }

  /// Unavailable. Two numbers are neither points nor pixels; this declaration lets the compiler suggest the calls for both.
  @available(*, unavailable, message: "Write .resize(to: CGSize(width:height:)) for points, or .resize(toPixels:) for pixels.")
  public static func resize(_ width: CGFloat, _ height: CGFloat, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: width, height: height), mode, enlarges: enlarges)
  }

  /// Unavailable. Two numbers are neither points nor pixels; this declaration lets the compiler suggest the calls for both.
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
    "FutureImage: a resize to \(size.width) × \(size.height) points of \(scale) pixels, \(mode), leaves its picture as it is. Give it "
      + "sides and a scale that are positive and finite; with .fit one side may be infinite. It is reported once."
  }
}

extension FutureImage.Transform.Frame {
  typealias Vector = FutureImage.Transform.Vector

  /// A bound for calculations. An image of a thousandth of it would be refused for its pixels.
  private static let mostPoints = 1e6

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
  /// The size is one of whole pixels.
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

  /// Returns the box with a bound in place of an infinite side, if the other side decides.
  fileprivate static func box(_ box: Vector, _ mode: FutureImage.Transform.ResizeMode) -> Vector {
    guard mode == .fit, (box.x == .infinity) != (box.y == .infinity) else { return box }
    return Vector(box.x == .infinity ? mostPoints : box.x, box.y == .infinity ? mostPoints : box.y)
  }
}
