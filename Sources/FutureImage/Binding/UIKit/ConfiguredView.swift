#if canImport(UIKit) || canImport(UIKitStandIn)
extension FutureImage {
  /// A view that shows configurations: a table or collection cell, or the header or footer of a table section.
  ///
  ///     var content = cell.defaultContentConfiguration()
  ///     content.text = item.title
  ///     content.image = item.photo
  ///     cell.display(content)
  ///
  /// A future set by `cell.contentConfiguration = content` shows its placeholder forever, because UIKit passes it to an image view as a
  /// plain image.
  @MainActor public protocol ConfiguredView: UIView {
    /// UIKit's configuration for the view's content.
    var contentConfiguration: (any UIContentConfiguration)? { get set }
    /// UIKit's configuration for the view's background.
    var backgroundConfiguration: UIBackgroundConfiguration? { get set }
  }
}

extension UITableViewCell: FutureImage.ConfiguredView {}
extension UITableViewHeaderFooterView: FutureImage.ConfiguredView {}
extension UICollectionViewCell: FutureImage.ConfiguredView {}

extension FutureImage.ConfiguredView {
  /// Applies a content configuration, and binds the cell to the future in it.
  ///
  /// Call this method instead of setting `contentConfiguration`, both in the data source and in a `configurationUpdateHandler`. When the
  /// image arrives, it is written into the configuration that the cell has at that time, so later changes to texts or colors remain. The
  /// binding ends when the configuration gets another image or is replaced. There is nothing to cancel in `prepareForReuse`.
  ///
  /// The image is decoded for the configuration's `imageProperties.maximumSize`, at the display's scale. Set that size. Otherwise, UIKit
  /// shows the image at its own size in points, and the row grows when the image arrives. `reservedLayoutSize` reserves the space until
  /// then.
  /// - Parameters:
  ///   - content: a configuration whose image may be a future, any other image, or nil.
  ///   - presentation: the options for a future. Its transition runs on the whole cell, and its retry responds to a tap anywhere on the
  ///     cell. Content modes have no effect, because UIKit fits the image of a configuration.
  public func display(_ content: UIListContentConfiguration, _ presentation: FutureImage.Presentation? = nil) {
    apply(content, presentation)
  }

  /// Applies a background configuration, and binds the cell to the future in it, as with a content configuration.
  ///
  /// The image is decoded for the cell's bounds, according to the configuration's `imageContentMode`.
  public func display(_ background: UIBackgroundConfiguration, _ presentation: FutureImage.Presentation? = nil) {
    apply(background, presentation)
  }

  private func apply<Configuration: ImageConfiguration>(_ configuration: Configuration, _ presentation: FutureImage.Presentation?) {
    var configuration = configuration
    if configuration.image == nil { configuration.image = presentation?.placeholder }
    // The configuration and its first image are applied in one step.
    let new = NewConfiguration(configuration)
    let slot = AnySlot(
      name: Configuration.slotName,
      get: { ($0 as? Self).flatMap { Configuration.current(of: $0)?.image } },
      set: { view, image in
        guard let view = view as? Self, var configuration = new.configuration.take() ?? Configuration.current(of: view) else { return }
        configuration.image = image
        configuration.apply(to: view)
      },
      pixelFitting: { ($0 as? Self).flatMap { (new.configuration ?? Configuration.current(of: $0))?.pixelFitting(in: $0) } })
    let place = Place.slot(slot, of: self)
    if let future = configuration.image as? FutureImage {
      future.root.bind(place, presentation)
    } else {
      BoundPlaces.shared.end(place)
      slot.set(self, configuration.image)
    }
    new.configuration = nil
  }
}

/// A configuration that has not been applied to its view yet.
@MainActor private final class NewConfiguration<Configuration> {
  var configuration: Configuration?

  init(_ configuration: Configuration) { self.configuration = configuration }
}
#endif
