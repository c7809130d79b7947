extension FutureImage {
  /// A view that shows configurations: a cell of a table or a collection, or the header or footer of a table's section.
  ///
  ///     var content = cell.defaultContentConfiguration()
  ///     content.text = item.title
  ///     content.image = item.photo
  ///     cell.display(content)
  ///
  /// A future that comes with `cell.contentConfiguration = content` shows its placeholder forever, because UIKit hands it to an image view
  /// as a plain image.
  @MainActor public protocol ConfiguredView: UIView {
    /// UIKit's: the configuration that the view shows its content by.
    var contentConfiguration: (any UIContentConfiguration)? { get set }
    /// UIKit's: the configuration that the view shows its background by.
    var backgroundConfiguration: UIBackgroundConfiguration? { get set }
  }
}

extension UITableViewCell: FutureImage.ConfiguredView {}
extension UITableViewHeaderFooterView: FutureImage.ConfiguredView {}
extension UICollectionViewCell: FutureImage.ConfiguredView {}

extension FutureImage.ConfiguredView {
  /// Applies a content configuration, and binds the cell to the future in it.
  ///
  /// Call it wherever you would set `contentConfiguration`: in the data source and in a `configurationUpdateHandler`. When the picture
  /// comes, it is written into the configuration that the cell has by then, so later changes to texts or colors remain. The binding ends when
  /// the configuration gets another image or is replaced. There is nothing to cancel in `prepareForReuse`.
  ///
  /// The picture is decoded for the configuration's `imageProperties.maximumSize`, at the display's scale. Set it: without it UIKit shows a
  /// picture in its own size in points, and the row grows when it comes. `reservedLayoutSize` holds the room until then.
  /// - Parameters:
  ///   - content: its image may be a future, any other image, or nil.
  ///   - presentation: a transition runs on the cell, and a retry takes taps on the whole cell. Content modes have no effect, since UIKit
  ///     fits the image of a configuration.
  public func display(_ content: UIListContentConfiguration, _ presentation: FutureImage.Presentation? = nil) {
    apply(content, presentation)
  }

  /// Applies a background configuration, and binds the cell to the future in it, as it does for a content configuration.
  ///
  /// The picture is decoded for the cell's bounds, by the configuration's `imageContentMode`.
  public func display(_ background: UIBackgroundConfiguration, _ presentation: FutureImage.Presentation? = nil) {
    apply(background, presentation)
  }

  private func apply<Configuration: ImageConfiguration>(_ configuration: Configuration, _ presentation: FutureImage.Presentation?) {
    // Applied with the first image that it shows, in one step.
    let new = NewConfiguration(configuration)
    let slot = AnySlot(
      name: Configuration.slotName,
      get: { ($0 as? Self).flatMap { Configuration.current(of: $0)?.image } },
      set: { view, image in
        guard let view = view as? Self, var configuration = new.take() ?? Configuration.current(of: view) else { return }
        configuration.image = image
        configuration.apply(to: view)
      },
      pixelFitting: { ($0 as? Self).flatMap { (new.configuration ?? Configuration.current(of: $0))?.pixelFitting(in: $0) } })
    let place = Place.slot(slot, of: self)
    if let future = configuration.image as? FutureImage {
      future.root.bind(place, presentation)
    } else {
      BoundPlaces.shared.take(place)
      slot.set(self, configuration.image)
    }
    new.configuration = nil
  }
}

/// A configuration that a view does not have yet.
@MainActor private final class NewConfiguration<Configuration> {
  var configuration: Configuration?

  init(_ configuration: Configuration) { self.configuration = configuration }

  func take() -> Configuration? {
    defer { configuration = nil }
    return configuration
  }
}
