extension FutureImage {
  /// One of several places for a picture that an owner has: an image view's highlighted image, the image of a button's state.
  ///
  /// A view of your own names its places in an extension:
  ///
  ///     extension FutureImage.Slot where Owner == ProfileView {
  ///       static let cover = Self("cover", get: { $0.cover }, set: { $0.cover = $1 })
  ///     }
  ///     user.photo.show(in: profileView, .cover)
  ///
  /// A view with a single place is better a ``FutureImageBinding``.
  @MainActor public struct Slot<Owner: AnyObject> {
    let erased: AnySlot

    /// - Parameters:
    ///   - name: tells the owner's slots apart.
    ///   - get: what is there; it must give back the very object that was put there.
    ///   - set: on the main actor, and only while what is there is what the future put there.
    ///   - pixelFitting: how many pixels the picture covers now; nil while nobody knows.
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

  /// Shows this future in one of the owner's slots, which is held weakly: whatever is there of its picture at once, the rest later.
  @MainActor public func show<Owner>(in owner: Owner, _ slot: Slot<Owner>, _ presentation: Presentation? = nil) {
    root.bind(.slot(slot.erased, of: owner), presentation)
  }
}

extension FutureImage.Slot {
  /// The future whose picture is still to appear there: nil once that is here in all the pixels that are needed, or something else is in
  /// its place.
  public func futureImage(of owner: Owner) -> FutureImage? { (erased.get(owner) as? FutureImage)?.root }

  /// Shows any picture there, and a future as one.
  public func display(_ picture: UIImage?, in owner: Owner, _ presentation: FutureImage.Presentation? = nil) {
    if let future = picture as? FutureImage { return future.show(in: owner, self, presentation) }
    BoundPlaces.shared.take(.slot(erased, of: owner))
    erased.set(owner, picture)
  }
}

/// A slot without its owner's type, as bindings keep it.
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
