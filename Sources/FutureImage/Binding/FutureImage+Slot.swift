extension FutureImage {
  /// One of several places for an image that an owner has, such as an image view's highlighted image, or the image for a button's state.
  ///
  /// Name the places of your own view in an extension:
  ///
  ///     extension FutureImage.Slot where Owner == ProfileView {
  ///       static let cover = Self("cover", get: { $0.cover }, set: { $0.cover = $1 })
  ///     }
  ///     user.photo.show(in: profileView, .cover)
  ///
  /// For a view with a single place, use ``FutureImageBinding`` instead.
  @MainActor public struct Slot<Owner: AnyObject> {
    let erased: AnySlot

    /// - Parameters:
    ///   - name: distinguishes the owner's slots.
    ///   - get: returns the current image; it must return the very object that was put there.
    ///   - set: called on the main actor, and only while the current image is the one that the future put there.
    ///   - pixelFitting: the pixels that the image covers now; nil while unknown.
    public init(
      _ name: String, get: @escaping @MainActor (Owner) -> UIImage?, set: @escaping @MainActor (Owner, UIImage?) -> Void,
      pixelFitting: @escaping @MainActor (Owner) -> Fitting? = { _ in nil }
    ) {
      erased = AnySlot(
        name: name,
        get: { ($0 as? Owner).flatMap(get) },
        set: { owner, image in if let owner = owner as? Owner { set(owner, image) } },
        pixelFitting: { ($0 as? Owner).flatMap(pixelFitting) })
    }
  }

  /// Shows this future in one of the owner's slots: the available pixels at once, the rest later. The owner is held weakly.
  @MainActor public func show<Owner>(in owner: Owner, _ slot: Slot<Owner>, _ presentation: Presentation? = nil) {
    root.bind(.slot(slot.erased, of: owner), presentation)
  }
}

extension FutureImage.Slot {
  /// Returns the future whose image is still to appear there; nil once all needed pixels have arrived, or something else is in its place.
  public func futureImage(of owner: Owner) -> FutureImage? { (erased.get(owner) as? FutureImage)?.root }

  /// Shows any image in the slot; a future is bound.
  public func display(_ picture: UIImage?, in owner: Owner, _ presentation: FutureImage.Presentation? = nil) {
    if let future = picture as? FutureImage { return future.show(in: owner, self, presentation) }
    BoundPlaces.shared.take(.slot(erased, of: owner))
    erased.set(owner, picture)
  }
}

/// A slot without its owner's type, as bindings store it.
@MainActor final class AnySlot {
  let name: String
  let get: @MainActor (AnyObject) -> UIImage?
  let set: @MainActor (AnyObject, UIImage?) -> Void
  let pixelFitting: @MainActor (AnyObject) -> FutureImage.Fitting?

  init(
    name: String, get: @escaping @MainActor (AnyObject) -> UIImage?, set: @escaping @MainActor (AnyObject, UIImage?) -> Void,
    pixelFitting: @escaping @MainActor (AnyObject) -> FutureImage.Fitting?
  ) {
    self.name = name
    self.get = get
    self.set = set
    self.pixelFitting = pixelFitting
  }
}
