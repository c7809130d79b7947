#if canImport(UIKit) || canImport(UIKitStandIn)
/// A view's configuration that has an image.
@MainActor protocol ImageConfiguration {
  /// The name of the image's slot among the slots of the view.
  static var slotName: String { get }
  /// Returns the view's configuration of this kind; nil if the view has none.
  static func current(of view: any FutureImage.ConfiguredView) -> Self?

  nonisolated var image: BaseImage? { get set }

  func apply(to view: any FutureImage.ConfiguredView)
  /// Returns the pixels that the image covers in the view; nil if unknown.
  func pixelFitting(in view: UIView) -> FutureImage.Fitting?
}

extension UIListContentConfiguration: ImageConfiguration {
  static var slotName: String { "content image" }

  static func current(of view: any FutureImage.ConfiguredView) -> Self? { view.contentConfiguration as? Self }

  func apply(to view: any FutureImage.ConfiguredView) { view.contentConfiguration = self }

  /// Returns the pixels of an image that is fitted into a box. The box depends on the maximum size in the configuration.
  ///
  /// | maximum size | box in points |
  /// | --- | --- |
  /// | 60 × 40 | 60 × 40 |
  /// | 60 × 0 | 60 × any |
  /// | 0 × 40 | any × 40 |
  /// | 0 × 0 | the view's width × any |
  ///
  /// A side of zero sets no limit (developer.apple.com, UIListContentConfiguration.ImageProperties.maximumSize).
  func pixelFitting(in view: UIView) -> FutureImage.Fitting? {
    let (most, scale) = (imageProperties.maximumSize, view.pixelsPerPoint)
    guard most.width > 0 || most.height > 0 else { return view.pixelBox.map { .fit(width: $0.width, height: .max) } }
    let points = CGSize(width: most.width > 0 ? most.width : .infinity, height: most.height > 0 ? most.height : .infinity)
    return .fit(FutureImage.PixelSize(points, scale: scale))
  }
}

extension UIBackgroundConfiguration: ImageConfiguration {
  static var slotName: String { "background image" }

  static func current(of view: any FutureImage.ConfiguredView) -> Self? { view.backgroundConfiguration }

  func apply(to view: any FutureImage.ConfiguredView) { view.backgroundConfiguration = self }

  func pixelFitting(in view: UIView) -> FutureImage.Fitting? { view.pixelFitting(imageContentMode) }
}
#endif
