#if canImport(AppKit) && !canImport(UIKit)
/// Image views show futures as `UIImageView` does on other platforms.
///
///     imageView.futureImage = item.photo
///
/// The view retains an `NSImage` of the best pixels so far, which references the future. You may set another future at any time, for
/// example when a table cell or a collection item is reused, and need not cancel anything. The view is measured again when its size or its
/// display changes. `preferredImageDynamicRange` has no effect, because the library decodes to the standard range. An animation plays
/// while its window is visible.
extension NSImageView {
  /// The future whose image has yet to appear here. After the view has all the pixels that it needs, this property is nil, although a
  /// future was set. But if the future's source has an image for dark mode (``FutureImage/FutureImage/Source/inDarkMode(use:)``), this
  /// property is the future as long as the view shows it.
  ///
  /// After you set a future, its available pixels appear at once, and the rest later. To remove the image, set nil. Setting `image` ends
  /// the binding, and no other call is needed.
  public var futureImage: FutureImage? {
    get { FutureImage.Slot.image.futureImage(of: self) }
    set { display(newValue) }
  }

  /// Shows the image, and binds the view if the image is a future.
  /// - Parameters:
  ///   - image: the image or the future. For nil, the view shows the presentation's placeholder, or nothing if there is none.
  ///   - presentation: the options for a future.
  public func display(_ image: BaseImage?, _ presentation: FutureImage.Presentation? = nil) {
    FutureImage.Slot.image.display(image, in: self, presentation)
  }

  @available(*, unavailable, message: "assign an NSImage to `image`; to show it with a presentation, make a BaseImage of it")
  public func display(_ image: NSImage?, _ presentation: FutureImage.Presentation? = nil) {}
}

extension NSButton {
  /// The future whose image has yet to appear as the button's image. It behaves like ``AppKit/NSImageView/futureImage`` of an image view.
  public var futureImage: FutureImage? {
    get { FutureImage.Slot.image.futureImage(of: self) }
    set { display(newValue) }
  }

  /// Shows the image, and binds the button if the image is a future, as ``AppKit/NSImageView/display(_:_:)`` does.
  public func display(_ image: BaseImage?, _ presentation: FutureImage.Presentation? = nil) {
    FutureImage.Slot.image.display(image, in: self, presentation)
  }

  /// Sets the image that the button shows while it is on, and binds the button if the image is a future.
  public func displayAlternate(_ image: BaseImage?, _ presentation: FutureImage.Presentation? = nil) {
    FutureImage.Slot.alternateImage.display(image, in: self, presentation)
  }

  @available(*, unavailable, message: "assign an NSImage to `image`; to show it with a presentation, make a BaseImage of it")
  public func display(_ image: NSImage?, _ presentation: FutureImage.Presentation? = nil) {}
}

extension FutureImage.Slot where Owner: NSImageView {
  /// The image of an image view. It is measured for the view's `imageScaling` in the pixels of its display.
  public static var image: Self { Self(\.image) { $0.pixelFitting($0.imageScaling) } }
}

extension FutureImage.Slot where Owner: NSButton {
  /// The image of a button. It is measured for the button's `imageScaling` in the pixels of its display.
  public static var image: Self { Self(\.image) { $0.pixelFitting($0.imageScaling) } }

  /// The image that the button shows while it is on.
  public static var alternateImage: Self { Self(\.alternateImage) { $0.pixelFitting($0.imageScaling) } }
}

extension FutureImage.Slot {
  /// Creates the slot of a property that contains an `NSImage`, such as the image of an `NSMenuItem` or an `NSToolbarItem`.
  ///
  ///     FutureImage.Slot(\NSMenuItem.image, pixelFitting: { _ in .fit(width: 32, height: 32) }).display(user.photo, in: menuItem)
  ///
  /// - Parameters:
  ///   - path: the key path of the image. Its getter must return the same object that was set.
  ///   - pixelFitting: the pixels that the image covers now; nil while unknown.
  public init(
    _ path: ReferenceWritableKeyPath<Owner, NSImage?>, pixelFitting: @escaping @MainActor (Owner) -> FutureImage.Fitting? = { _ in nil }
  ) {
    self.init(
      of: path, renderingMode: .automatic, get: { ($0[keyPath: path] as? BoundImage)?.shown },
      set: { owner, image in
        let isDark = ((owner as? NSView)?.effectiveAppearance ?? NSApplication.shared.effectiveAppearance).isDark
        owner[keyPath: path] = image.map { BoundImage.showing($0, isDark: isDark) }
      }, pixelFitting: pixelFitting)
    erased.onBinding = { owner, name, reader in if let view = owner as? NSView { ViewProbe.of(view).watch(reader, in: name) } }
  }
}

/// The image that a view of AppKit retains: the pixels of an image of this library, and a reference to that image.
///
/// The class draws nothing itself, because its representations draw the pixels. The property ``shown`` is optional, because in a copy that
/// AppKit makes, it may consist of zero bytes, which mean nil. A view that shows such a copy is no longer bound.
@requires_stored_property_inits
final class BoundImage: NSImage {
  private(set) var shown: BaseImage?

  /// Returns an image with the pixels that a view draws in light or dark mode, with the image's tint.
  static func showing(_ image: BaseImage, isDark: Bool) -> BoundImage {
    let drawn = image.withConfiguration(.init(traitCollection: .init(userInterfaceStyle: isDark ? .dark : .light)))
    let bound = BoundImage(size: drawn.size)
    bound.shown = image
    drawn.addPixels(to: bound)
    return bound
  }

  override func copy(with zone: NSZone? = nil) -> Any {
    // AppKit may copy the bytes of an object without retaining what they reference. So this code makes a new object instead.
    guard let shown else { return super.copy(with: zone) }
    let copy = BoundImage(size: size)
    copy.shown = shown
    copy.isTemplate = isTemplate
    for representation in representations { copy.addRepresentation(representation) }
    return copy
  }

  /// AppKit's class, so that another process can read the archive of a view.
  override var classForCoder: AnyClass { NSImage.self }
}

extension FutureImage {
  /// Returns the image as AppKit's image: upright, and with its size in points.
  ///
  ///     window.representedImage = try await item.photo.nsImage(fitting: .fit(width: 256, height: 256))
  ///
  /// - Parameter fitting: the pixels that are needed; by default, all pixels.
  /// - Returns: a new object, which no other code has.
  public func nsImage(fitting: Fitting = .full) async throws(Failure) -> sending NSImage { try await value(fitting: fitting).nsImage }
}
#endif
