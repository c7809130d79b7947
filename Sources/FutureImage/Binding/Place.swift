/// Where a picture appears: a view that is a binding itself, or a slot of an owner. It holds neither.
@MainActor struct Place {
  private weak var view: (any FutureImageBinding)?
  private weak var owner: AnyObject?
  private let slot: AnySlot?
  /// Of the view or the owner: tells most places apart, and takes no reference to be loaded for it.
  private let id: ObjectIdentifier

  init(_ view: any FutureImageBinding) {
    self.view = view
    slot = nil
    id = ObjectIdentifier(view)
  }

  init(_ owner: AnyObject, _ slot: AnySlot) {
    self.owner = owner
    self.slot = slot
    id = ObjectIdentifier(owner)
  }

  var isGone: Bool { slot == nil ? view == nil : owner == nil }

  var image: UIImage? {
    guard let slot else { return view?.image }
    return owner.flatMap { slot.get($0) }
  }

  /// Whoever watches the view may bind something else in return: to be called last.
  func put(_ image: UIImage?) {
    if let slot {
      if let owner { slot.set(owner, image) }
    } else {
      view?.image = image
    }
  }

  /// - Parameter contentMode: the one that the picture will be shown in, if that is not the view's now.
  func pixelFitting(_ contentMode: UIView.ContentMode?) -> FutureImage.Fitting? {
    if let slot { return owner.flatMap { slot.pixelFitting($0) } }
    if let contentMode, let view = view as? UIImageView { return view.pixelFitting(contentMode) }
    return view?.pixelFitting
  }

  /// The view, where UIKit can animate it and take taps for it.
  var uiView: UIView? { (slot == nil ? view : owner) as? UIView }

  func isSame(as other: Place) -> Bool {
    id == other.id && slot?.name == other.slot?.name && (slot == nil ? view === other.view : owner === other.owner)
  }
}
