/// A place for a picture: a view that is a binding itself, a slot of an owner, or a lease.
@MainActor enum Place {
  case view(any FutureImageBinding)
  case slot(AnySlot, of: AnyObject)
  case lease(FutureImage.Lease)

  var image: UIImage? {
    switch self {
    case .view(let view): view.image
    case .slot(let slot, let owner): slot.get(owner)
    case .lease(let lease): lease.held
    }
  }

  /// Whoever watches the view may bind something else in return: to be called last.
  func put(_ image: UIImage?) {
    let former = self.image
    set(image)
    // Image views ignore an image that they take for equal to the one that is there. Looked at once, and mended once; not if the app put
    // something else there when it was emptied.
    guard let image, let former, image !== former, self.image === former else { return }
    set(nil)
    if self.image == nil { set(image) }
  }

  private func set(_ image: UIImage?) {
    switch self {
    case .view(let view): view.image = image
    case .slot(let slot, let owner): slot.set(owner, image)
    case .lease(let lease): lease.hold(image)
    }
  }

  /// - Parameter contentMode: the one that the picture will be shown in, if that is not the view's now.
  func pixelFitting(_ contentMode: UIView.ContentMode?) -> FutureImage.Fitting? {
    switch self {
    case .slot(let slot, let owner): return slot.pixelFitting(owner)
    case .lease(let lease): return lease.fitting
    case .view(let view):
      if let contentMode, let view = view as? UIImageView { return view.pixelFitting(contentMode) }
      return view.pixelFitting
    }
  }

  /// The view, where UIKit can animate it and take taps for it.
  var uiView: UIView? { object as? UIView }

  /// Names the place for as long as its object lives.
  struct ID: Hashable {
    let object: ObjectIdentifier
    let slot: String?
  }

  var id: ID { ID(object: ObjectIdentifier(object), slot: slotName) }

  var object: AnyObject {
    switch self {
    case .view(let view): view
    case .slot(_, let owner): owner
    case .lease(let lease): lease
    }
  }

  fileprivate var slotName: String? {
    if case .slot(let slot, _) = self { slot.name } else { nil }
  }
}

/// A place that may go: it holds neither view nor owner nor lease.
@MainActor struct WeakPlace {
  private weak var view: (any FutureImageBinding)?
  /// The slot's owner, or a lease.
  private weak var owner: AnyObject?
  private let slot: OnMain<AnySlot>?
  /// Of the view or the owner: tells most places apart, and takes no reference to be loaded for it.
  private let id: ObjectIdentifier

  init(_ place: Place) {
    switch place {
    case .view(let view):
      self.view = view
      slot = nil
    case .slot(let slot, let owner):
      self.owner = owner
      self.slot = OnMain(slot)
    case .lease(let lease):
      owner = lease
      slot = nil
    }
    id = ObjectIdentifier(place.object)
  }

  /// Nil once it is gone.
  var place: Place? {
    // Closures would be asked at each call whether they run on the main actor.
    guard let slot = slot?.object else {
      if let view { return .view(view) }
      guard let lease else { return nil }
      return .lease(lease)
    }
    guard let owner else { return nil }
    return .slot(slot, of: owner)
  }

  /// The place's, without making one.
  var image: UIImage? {
    guard let slot = slot?.object else {
      if let view { return view.image }
      return lease?.held
    }
    guard let owner else { return nil }
    return slot.get(owner)
  }

  private var lease: FutureImage.Lease? { owner as? FutureImage.Lease }

  func isSame(as other: Place) -> Bool {
    // The identifier alone might be that of an object which is gone.
    ObjectIdentifier(other.object) == id && slot?.object.name == other.slotName && place != nil
  }
}
