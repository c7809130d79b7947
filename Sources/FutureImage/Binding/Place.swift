/// A place for an image: a view that shows one image, a slot of an owner, or a subscription.
@MainActor enum Place {
  case view(any ImageDisplaying)
  case slot(AnySlot, of: AnyObject)
  case subscription(FutureImage.Subscription)

  var image: BaseImage? {
    switch self {
    case .view(let view): view.image
    case .slot(let slot, let owner): slot.get(owner)
    case .subscription(let subscription): subscription.held
    }
  }

  /// Puts the image into the place. Call this method last, because observers of the view may bind something else in response.
  func put(_ image: BaseImage?) {
    let former = self.image
    set(image)
    // An image view ignores an image that it considers equal to its current image. So this code checks whether the place still has the
    // former image. If so, it empties the place and sets the new image once more, unless the app puts something else there meanwhile. This
    // code avoids `guard let`, which would retain and release each unwrapped image.
    guard image != nil, former != nil, image !== former, self.image === former else { return }
    set(nil)
    if self.image == nil { set(image) }
  }

  /// Shows the image, and binds the place if the image is a future. Without an image, shows the presentation's placeholder.
  func display(_ image: BaseImage?, _ presentation: FutureImage.Presentation?) {
    if let future = image as? FutureImage { return future.root.bind(self, presentation) }
    BoundPlaces.shared.end(self)
    let placeholder = image == nil ? presentation?.placeholder : nil
    if placeholder != nil, let mode = presentation?.contentModes?.placeholder, let view = platformView {
      let look = PresentedLook()
      look.setContentMode(mode, of: view)
      BoundPlaces.shared.register(self, to: nil, look)
    }
    set(image ?? placeholder)
  }

  private func set(_ image: BaseImage?) {
    switch self {
    case .view(let view):
      view.image = image
      if let view = view as? PlatformView, let image { view.hasShown(image) }
    case .slot(let slot, let owner): slot.set(owner, image)
    case .subscription(let subscription): subscription.hold(image)
    }
  }

  /// - Parameter contentMode: the mode in which the image will be shown, if it is not the view's current mode.
  func pixelFitting(_ contentMode: FutureImage.ContentMode?) -> FutureImage.Fitting? {
    if let contentMode, let fitting = platformView?.imageFitting(contentMode) { return fitting }
    return switch self {
    case .slot(let slot, let owner): slot.pixelFitting(owner)
    case .subscription(let subscription): subscription.fitting
    case .view(let view): view.pixelFitting
    }
  }

  /// The rendering mode of the place, which images get if their future has no rendering mode and no tint of its own.
  var renderingMode: BaseImage.RenderingMode {
    if case .slot(let slot, _) = self { slot.renderingMode } else { .automatic }
  }

  /// The view, if the object is a view of UIKit or AppKit, which can show transitions and can receive taps.
  var platformView: PlatformView? { object as? PlatformView }

  /// Whether the place is in dark mode. If so, it shows the source's image for dark mode, if the source has one.
  var isDark: Bool {
    if case .subscription(let subscription) = self { return subscription.isDark }
    return platformView?.isDark ?? false
  }

  /// Whether an animation plays in the place. It plays in a view of UIKit or AppKit that is in a visible window, in any other
  /// ``ImageDisplaying`` object, and in a subscription that has a box. A slot of an object that is not a view, such as a menu item, shows
  /// the first frame.
  var plays: Bool {
    switch self {
    case .view(let view): (view as? PlatformView)?.isInVisibleWindow ?? true
    case .slot(_, let owner): (owner as? PlatformView)?.isInVisibleWindow ?? false
    case .subscription(let subscription): subscription.fitting != nil
    }
  }

  /// The view that the image's alternative text describes: an image view, or a button without a title. Nil for a view that shows more than
  /// the image.
  var describedView: PlatformView? {
    guard let view = platformView, view.isDescribedByImage else { return nil }
    return view
  }

  /// Identifies the place as long as its object exists.
  struct ID: Hashable {
    let object: ObjectIdentifier
    let slot: AnyHashable?
  }

  var id: ID { ID(object: ObjectIdentifier(object), slot: slotName) }

  var object: AnyObject {
    switch self {
    case .view(let view): view
    case .slot(_, let owner): owner
    case .subscription(let subscription): subscription
    }
  }

  fileprivate var slotName: AnyHashable? {
    if case .slot(let slot, _) = self { slot.name } else { nil }
  }
}

/// A weak reference to a place. It retains no view, owner, or subscription.
@MainActor struct WeakPlace {
  private weak var view: (any ImageDisplaying)?
  /// The slot's owner, or a subscription.
  // Race: a subscription that its future retains.
  private weak var owner: AnyObject?
  private let slot: OnMain<AnySlot>?
  /// The identifier of the view or the owner. It rules out most places without loading a weak reference.
  private let id: ObjectIdentifier

  // This initializer is inlined. A call would retain and release the view, which takes 3 percent of the time of a bind.
  @inline(__always) init(_ place: Place) {
    switch place {
    case .view(let view):
      self.view = view
      slot = nil
    case .slot(let slot, let owner):
      self.owner = owner
      self.slot = OnMain(slot)
    case .subscription(let subscription):
      owner = subscription
      slot = nil
    }
    id = ObjectIdentifier(place.object)
  }

  /// The place; nil after its object was released.
  var place: Place? {
    // This code has no closures, because each call of a closure would check whether it runs on the main actor.
    guard let slot = slot?.object else {
      if let view { return .view(view) }
      guard let subscription else { return nil }
      return .subscription(subscription)
    }
    guard let owner else { return nil }
    return .slot(slot, of: owner)
  }

  /// The place's image, read without making a `Place`.
  var image: BaseImage? {
    guard let slot = slot?.object else {
      if let view { return view.image }
      return subscription?.held
    }
    guard let owner else { return nil }
    return slot.get(owner)
  }

  private var subscription: FutureImage.Subscription? { owner as? FutureImage.Subscription }

  func isSame(as other: Place) -> Bool {
    // The check for nil is necessary, because the other place's object may have the address of a released object.
    ObjectIdentifier(other.object) == id && slot?.object.name == other.slotName && place != nil
  }
}
