extension FutureImage {
  /// One of several places for images in an owner, such as the highlighted image of an image view, or a button's image for a state.
  ///
  /// To make a slot of a property, use the property's key path:
  ///
  ///     FutureImage.Slot(\ProfileView.cover).display(user.photo, in: profileView)
  ///
  /// If there is no such property, use two closures:
  ///
  ///     let image = FutureImage.Slot<CPListItem>("image", get: { $0.image }, set: { $0.setImage($1) })
  ///     image.display(station.logo, in: listItem)
  ///
  /// For a view with a single place, use ``ImageDisplaying`` instead.
  @MainActor public struct Slot<Owner: AnyObject> {
    let erased: AnySlot

    /// - Parameters:
    ///   - path: the key path of the image. Its getter must return the same object that was set. Its setter is called on the main actor.
    ///     Outside calls of ``display(_:in:_:)``, it is called only while the current image is the one that the future put there.
    ///   - renderingMode: the mode in which an image arrives, unless its future was derived by `withRenderingMode` or `withTintColor`. Bars
    ///     and tabs draw images of `.automatic` mode as templates, which turns a photo into a solid block. Use `.alwaysOriginal` there.
    ///   - pixelFitting: the pixels that the image covers now; nil while unknown.
    public init(
      _ path: ReferenceWritableKeyPath<Owner, BaseImage?>, renderingMode: BaseImage.RenderingMode = .automatic,
      pixelFitting: @escaping @MainActor (Owner) -> Fitting? = { _ in nil }
    ) {
      self.init(
        of: path, renderingMode: renderingMode, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 }, pixelFitting: pixelFitting)
    }

    /// - Parameters:
    ///   - name: a name that distinguishes the slot from the owner's other slots.
    ///   - get: returns the current image, which must be the same object that was set.
    ///   - set: shows an image, or removes it if the image is nil. Called on the main actor. Outside calls of ``display(_:in:_:)``, it is
    ///     called only while the current image is the one that the future put there.
    ///   - renderingMode: the mode in which an image arrives, as for a slot of a key path.
    ///   - pixelFitting: the pixels that the image covers now; nil while unknown.
    public init(
      _ name: String, get: @escaping @MainActor (Owner) -> BaseImage?, set: @escaping @MainActor (Owner, BaseImage?) -> Void,
      renderingMode: BaseImage.RenderingMode = .automatic, pixelFitting: @escaping @MainActor (Owner) -> Fitting? = { _ in nil }
    ) {
      self.init(of: name, renderingMode: renderingMode, get: get, set: set, pixelFitting: pixelFitting)
    }

    init(
      of name: AnyHashable, renderingMode: BaseImage.RenderingMode, get: @escaping @MainActor (Owner) -> BaseImage?,
      set: @escaping @MainActor (Owner, BaseImage?) -> Void, pixelFitting: @escaping @MainActor (Owner) -> Fitting?
    ) {
      erased = AnySlot(
        name: name, renderingMode: renderingMode,
        get: { ($0 as? Owner).flatMap(get) },
        set: { owner, image in if let owner = owner as? Owner { set(owner, image) } },
        pixelFitting: { ($0 as? Owner).flatMap(pixelFitting) })
    }
  }
}

extension FutureImage.Slot {
  /// Returns the future whose image has yet to appear in the slot; nil after all needed pixels have arrived, or after something else was
  /// put there. A future whose source has an image for dark mode (``FutureImage/FutureImage/Source/inDarkMode(use:)``) is returned as long
  /// as the slot shows it.
  public func futureImage(of owner: Owner) -> FutureImage? { (erased.get(owner) as? FutureImage)?.root }

  /// Shows the image in the slot. For nil, the slot shows the presentation's placeholder, or nothing if there is none. If the image is a
  /// future, it is bound to the slot. Its available pixels appear at once, and the rest later. The owner is referenced weakly.
  public func display(_ image: BaseImage?, in owner: Owner, _ presentation: FutureImage.Presentation? = nil) {
    Place.slot(erased, of: owner).display(image, presentation)
  }
}

/// A slot without its owner's type, as bindings store it.
@MainActor final class AnySlot {
  let name: AnyHashable
  /// The rendering mode of images whose future has no rendering mode or tint of its own.
  let renderingMode: BaseImage.RenderingMode
  let get: @MainActor (AnyObject) -> BaseImage?
  let set: @MainActor (AnyObject, BaseImage?) -> Void
  let pixelFitting: @MainActor (AnyObject) -> FutureImage.Fitting?
  /// Called when a reader binds the slot; nil if the owner needs no preparation.
  var onBinding: (@MainActor (AnyObject, AnyHashable, Reader) -> Void)?

  init(
    name: AnyHashable, renderingMode: BaseImage.RenderingMode = .automatic, get: @escaping @MainActor (AnyObject) -> BaseImage?,
    set: @escaping @MainActor (AnyObject, BaseImage?) -> Void,
    pixelFitting: @escaping @MainActor (AnyObject) -> FutureImage.Fitting?
  ) {
    self.name = name
    self.renderingMode = renderingMode
    self.get = get
    self.set = set
    self.pixelFitting = pixelFitting
  }
}
