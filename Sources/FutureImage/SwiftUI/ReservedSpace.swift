/// The space that a SwiftUI view takes. It depends only on what is known before the image is loaded, so nothing moves when the image
/// arrives.
///
/// | proposed width and height | ratio | filled | size |
/// | --- | --- | --- | --- |
/// | 120, 120 | 1.5 | no | 120 × 80 |
/// | 120, 120 | 1.5 | yes | 120 × 120 |
/// | 120, 120 | unknown | no | 120 × 120 |
/// | 120, none | 1.5 | any | 120 × 80 |
/// | 120, none | unknown | any | 120 × 90 |
/// | none, 120 | 1.5 | any | 180 × 120 |
/// | none, none | 1.5, of the known size 300 × 200 | any | 300 × 200 |
/// | none, none | 1 from the app, known size 300 × 200 | any | 300 × 300 |
struct ReservedSpace: Equatable {
  /// The width divided by the height; nil if neither the app nor the model states it.
  var ratio: Double?
  /// The size in points if no side is proposed; nil if it is not known.
  var known: CGSize?
  var isFilled = false

  /// The ratio of an image of unknown size. The view does not change it later, because a row that changes its height moves all rows below
  /// it.
  private static let usualRatio = 4.0 / 3

  /// Returns the size for the proposed sides, in points. An infinite side counts as a side that is not proposed.
  func size(width: CGFloat?, height: CGFloat?) -> CGSize {
    let ratio = ratio ?? Self.usualRatio
    switch (finite(width), finite(height)) {
    case (let width?, let height?):
      if isFilled || self.ratio == nil { return CGSize(width: width, height: height) }
      return CGSize(width: min(width, height * ratio), height: min(height, width / ratio))
    case (let width?, nil): return CGSize(width: width, height: width / ratio)
    case (nil, let height?): return CGSize(width: height * ratio, height: height)
    case (nil, nil): return known ?? CGSize(width: 100 * ratio, height: 100)
    }
  }

  /// Whether the size for the proposed sides is a guess, because a side follows from the usual ratio.
  func isGuess(width: CGFloat?, height: CGFloat?) -> Bool { ratio == nil && (finite(width) == nil || finite(height) == nil) }

  private func finite(_ length: CGFloat?) -> CGFloat? { length.flatMap { $0.isFinite ? max(0, $0) : nil } }
}

extension ReservedSpace {
  /// - Parameter ratio: the app's ratio, which overrides the future's own ratio. A ratio that is not positive is ignored.
  init(for future: FutureImage?, ratio: Double?, isFilled: Bool) {
    let known = future?.root.descriptor?.transformedSize.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
    let given = ratio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    let own = known.map { Double($0.width / $0.height) }
    let size = given.map { given in known.map { CGSize(width: $0.width, height: $0.width / given) } } ?? known
    self.init(ratio: given ?? own, known: size, isFilled: isFilled)
  }
}
