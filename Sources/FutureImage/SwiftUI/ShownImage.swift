import Observation

/// The image that a SwiftUI view shows, and the subscription to it. The view retains this object from one body to the next. This file
/// imports no SwiftUI, so that the behavior can be tested on systems without SwiftUI.
///
/// A body calls only ``content(of:isDark:)``. All other methods are called after the view was measured, changed, or removed. The reason is
/// that SwiftUI may evaluate bodies that are never shown, and evaluates initial values of state again with each body of the parent.
@MainActor final class ShownImage: Observable {
  /// The values that a body shows.
  struct Content {
    /// The best available pixels; nil if there are none.
    let image: BaseImage?
    /// The image to show in place of the pixels; nil if the future has no placeholder.
    let placeholder: BaseImage?
    let failure: FutureImage.Failure?
    /// The number of images that arrived after a body was evaluated without them. A change of this number is animated.
    let arrivals: Int

    var isLoading: Bool { image == nil && failure == nil }
  }

  /// The properties of a view that decide which pixels it needs.
  struct Need: Equatable {
    var size: CGSize?
    var isFilled: Bool
    var scale: Double
    var isDark: Bool

    /// The box in pixels in which the view shows the image; nil while the size is unknown, and for a view without area.
    var fitting: FutureImage.Fitting? {
      guard let size, size.width > 0, size.height > 0 else { return nil }
      let pixels = FutureImage.PixelSize(size, scale: scale)
      return isFilled ? .fill(pixels) : .fit(pixels)
    }
  }

  private var subscription: FutureImage.Subscription?
  private var future: FutureImage?
  private var need: Need?
  /// Whether the view itself has reported what it shows, or that it is gone. After that, a layout only reports a size.
  private var isDecided = false
  private var hasAppeared = false
  /// The image that the last body showed, if it still exists.
  private weak var seen: BaseImage?
  private weak var seenFeed: AnimationFeed?
  private var arrivals = 0
  private let registrar = ObservationRegistrar()
  private let warnings: DeveloperWarnings

  init(warnings: DeveloperWarnings = .shared) {
    self.warnings = warnings
  }

  /// Returns the values that are available for a body. Requests no pixels, but counts as a use of the future: see
  /// `available(for:isDark:)`.
  func content(of future: FutureImage?, isDark: Bool) -> Content {
    registrar.access(self, keyPath: \.subscription)
    guard let future = future?.root else { return Content(image: nil, placeholder: nil, failure: nil, arrivals: arrivals) }
    let placeholder = future.borrowed?.original
    let subscription = future === self.future ? subscription : nil
    // Until there is a subscription that has an image, this is an image that another view of the model shows, or an image in the loader's
    // pool.
    let image = subscription?.image ?? future.available(for: need?.fitting, isDark: isDark)
    return Content(image: image, placeholder: placeholder, failure: subscription?.failure, arrivals: arrivals)
  }

  /// Shows the future from now on, because the view has appeared. If the need has no size, the last known size of the view remains.
  func appear(_ future: FutureImage?, _ need: Need) {
    hasAppeared = true
    show(future, need)
  }

  /// Shows the future from now on. Called when the view is measured, or gets another model or environment.
  /// - Parameter need: the need of the view. If its size is nil, the last size remains.
  func show(_ future: FutureImage?, _ need: Need) {
    isDecided = true
    subscribe(future, need)
  }

  /// Sets the size of the view from a layout. The layout may belong to a row that has not appeared yet, or to an earlier body than the last
  /// body.
  /// - Parameter isGuess: whether the size was determined without any knowledge of the image.
  func layOut(_ future: FutureImage?, _ need: Need, isGuess: Bool = false) {
    if isGuess { warnIfLazy(future) }
    // Race: a late layout that shows a former model again.
    guard isDecided else { return subscribe(future, need) }
    guard var known = self.need, subscription != nil else { return }
    known.size = need.size
    subscribe(self.future, known)
  }

  /// Releases the pixels of a view that is gone, because other views may need the memory more.
  func leave() {
    isDecided = true
    drop()
  }

  private func subscribe(_ future: FutureImage?, _ need: Need) {
    var need = need
    need.size = need.size ?? self.need?.size
    self.need = need
    guard let future = future?.root, let fitting = need.fitting else { return drop() }
    if let subscription, future === self.future {
      subscription.fitting = fitting
      subscription.isDark = need.isDark
      return
    }
    // The last body has called `available`, too. So it has shown this image, and is evaluated again when the image changes.
    seen = future.available(for: fitting, isDark: need.isDark)
    let made = FutureImage.Subscription(of: future, fitting: fitting, isDark: need.isDark) { [weak self] subscription in
      self?.take(subscription)
    }
    let isNews = made.image.map { $0 !== seen } ?? (made.failure != nil)
    self.future = future
    if isNews { registrar.withMutation(of: self, keyPath: \.subscription) { subscription = made } } else { subscription = made }
    if made.image != nil { (seen, seenFeed) = (made.image, made.image?.feed) }
  }

  /// Responds to another image or failure of the subscription. The last body may have shown the image before the subscription had it.
  private func take(_ subscription: FutureImage.Subscription) {
    let image = subscription.image
    guard image == nil || image !== seen else { return }
    // The next frame of an animation does not fade in.
    let isNextFrame = image?.feed != nil && image?.feed === seenFeed
    (seen, seenFeed) = (image, image?.feed)
    // The last body may have run before there was a subscription to observe.
    // Race: a body that is not evaluated again for its subscription.
    registrar.withMutation(of: self, keyPath: \.subscription) { if image != nil, !isNextFrame { arrivals += 1 } }
  }

  // Race: a subscription of a view that is gone.
  private func drop() {
    subscription = nil
    future = nil
  }

  /// Warns of a guessed size in a lazy container. Only a lazy container lays out a view in an earlier turn of the main thread than the turn
  /// in which the view appears. Does nothing in a release build.
  private func warnIfLazy(_ future: FutureImage?) {
    #if DEBUG
    guard !hasAppeared, let future, future.root.descriptor != nil else { return }
    warnings.report(
      "FutureImage: a row of a list or lazy stack shows \(future.key) in a FutureImageView of 4 : 3, because neither the view nor the "
        + "model states its ratio; pass a ratio, set a frame, or create the future with its size.",
      once: "a guessed size in a lazy container")
    #endif
  }
}

extension FutureImage {
  /// Returns the best image that a view can show at once, which is the largest image that other views show, or an image in the pool. The
  /// result is observable. This call counts as a use of the future, unless the source has an image for dark mode. In that case, this call
  /// starts no fetch, and returns nil if the image that the view needs was not used before.
  @MainActor fileprivate func available(for fitting: Fitting?, isDark: Bool) -> BaseImage? {
    guard let reader else { return image }
    var shown = reader
    if reader.descriptor.source.dark != nil {
      guard let needed = isDark ? reader.knownDark : reader, needed.withLock({ $0.demand != .deferred }) else { return nil }
      shown = needed
    }
    if let image = image(of: shown) { return image }
    let (variant, fullSize) = shown.withLock { ($0.variant(), $0.fullSize) }
    let step = fullSize.flatMap { fullSize in fitting.map { DecodeStep(showing: fullSize, $0) } }
    let pool = reader.descriptor.loader.pool
    let pooled = step.flatMap { pool.find(variant, atLeast: $0).image } ?? pool.find(variant).image
    return pooled.map { shown.applyingAppearance(to: $0) }
  }
}
