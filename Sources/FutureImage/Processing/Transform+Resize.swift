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
  /// a point, or as many as there are.
  /// - Parameters:
  ///   - size: of the box, in points. With ``ResizeMode/fit`` one side may be infinite, for a picture of that width or height in its own
  ///     ratio. Any other size that is not positive and finite leaves the picture as it is, and the log says so once.
  ///   - mode: what happens where the ratios differ.
  ///   - enlarges: whether a smaller picture is made as large, with pixels made up between its own. If not, it gets as large as its own
  ///     points and pixels go, in the ratio asked for.
  ///   - scale: the most pixels a point; 3 is what the densest displays have.
  public static func resize(
    to size: CGSize, _ mode: ResizeMode = .fit, enlarges: Bool = false, scale: CGFloat = 3
  ) -> Self {
    reportUnlessPossible(size, mode, scale)
    let name = "resize to \(size.width) × \(size.height) points of \(scale) pixels, \(mode)\(enlarges ? ", enlarging" : "")"
    return Self(name, .frame { Frame(resizing: $0, to: Vector(size), mode, enlarges: enlarges, scale: Double(scale)) })
  }

  /// The picture at another size in pixels, each of them a point: ``resize(to:_:enlarges:scale:)`` with a scale of 1.
  public static func resize(toPixels size: FutureImage.PixelSize, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: size.width, height: size.height), mode, enlarges: enlarges, scale: 1)
  }

  /// No transform. Two numbers are neither points nor pixels; this declaration lets the compiler name the calls for both.
  @available(*, unavailable, message: "Write .resize(to: CGSize(width:height:)) for points, or .resize(toPixels:) for pixels.")
  public static func resize(_ width: CGFloat, _ height: CGFloat, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: width, height: height), mode, enlarges: enlarges)
  }

  /// No transform. Two numbers are neither points nor pixels; this declaration lets the compiler name the calls for both.
  @available(*, unavailable, message: "Write .resize(to: CGSize(width:height:)) for points, or .resize(toPixels:) for pixels.")
  public static func resize(width: CGFloat, height: CGFloat, _ mode: ResizeMode = .fit, enlarges: Bool = false) -> Self {
    resize(to: CGSize(width: width, height: height), mode, enlarges: enlarges)
  }

  /// Reports a resize that does nothing.
  static func reportUnlessPossible(_ size: CGSize, _ mode: ResizeMode, _ scale: CGFloat, to warnings: DeveloperWarnings = .shared) {
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
  /// | 400 × 300 | 100 × ∞ | fit | all | 100 × 75 | 100 × 75 |
  ///
  /// The size is that of whole pixels.
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

  /// The box with a bound in place of a side that is infinite, where the other one decides.
  fileprivate static func box(_ box: Vector, _ mode: FutureImage.Transform.ResizeMode) -> Vector {
    guard mode == .fit, (box.x == .infinity) != (box.y == .infinity) else { return box }
    return Vector(box.x == .infinity ? mostPoints : box.x, box.y == .infinity ? mostPoints : box.y)
  }
}
