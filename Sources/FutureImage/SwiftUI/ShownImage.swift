import Observation

/// The image that a SwiftUI view shows, and the subscription for it, which the view retains from one body to the next. It imports no
/// SwiftUI, so that its behavior is tested where that does not exist.
///
/// A body only reads ``content(of:isDark:)``. Everything else is called after the view was measured, changed, or removed: SwiftUI may
/// evaluate bodies that are never shown, and evaluates initial values of state again with each parent body.
@MainActor final class ShownImage: Observable {
  /// The values that a body shows.
  struct Content {
    /// The best available pixels; nil if there are none.
    let image: UIImage?
    /// The image in place of the pixels, if the future has one.
    let placeholder: UIImage?
    let failure: FutureImage.Failure?
    /// The number of images that arrived after a body without them. A change of it is animated.
    let arrivals: Int

    var isLoading: Bool { image == nil && failure == nil }
  }

  /// The properties of a view that decide which pixels it needs.
  struct Need: Equatable {
    var size: CGSize?
    var isFilled: Bool
    var scale: Double
    var isDark: Bool

    /// Nil while the size is unknown, and for a view without area.
    var fitting: FutureImage.Fitting? {
      guard let size, size.width > 0, size.height > 0 else { return nil }
      let pixels = FutureImage.PixelSize(size, scale: scale)
      return isFilled ? .fill(pixels) : .fit(pixels)
    }
  }

  private var subscription: FutureImage.Subscription?
  private var future: FutureImage?
  private var need: Need?
  /// Whether the view itself has said what it shows, or that it is gone. From then on, a layout only measures.
  private var isDecided = false
  private var hasAppeared = false
  /// The image in the last body, if it is still there.
  private weak var seen: UIImage?
  private var arrivals = 0
  private let registrar = ObservationRegistrar()
  private let warnings: DeveloperWarnings

  init(warnings: DeveloperWarnings = .shared) {
    self.warnings = warnings
  }

  /// Returns what is available for a body. Requests no pixels, and changes nothing.
  func content(of future: FutureImage?, isDark: Bool) -> Content {
    registrar.access(self, keyPath: \.subscription)
    guard let future = future?.root else { return Content(image: nil, placeholder: nil, failure: nil, arrivals: arrivals) }
    let placeholder = future.borrowed?.original
    let subscription = future === self.future ? subscription : nil
    // Until there is a subscription, and until it has an image: that of another view of the model, or of the pool.
    let image = subscription?.image ?? future.available(for: need?.fitting, isDark: isDark)
    return Content(image: image, placeholder: placeholder, failure: subscription?.failure, arrivals: arrivals)
  }

  /// Shows the future in the last known size from now on.
  func appear(_ future: FutureImage?, _ need: Need) {
    hasAppeared = true
    show(future, need)
  }

  /// Shows the future from now on. Called when the view is measured, or gets another model or environment.
  /// - Parameter need: a size of nil leaves the last one.
  func show(_ future: FutureImage?, _ need: Need) {
    isDecided = true
    lend(future, need)
  }

  /// Measures the view for a layout, which may belong to a row before it appears, or to a body before the last one.
  /// - Parameter isGuess: whether nothing known of the image decided the size.
  func layOut(_ future: FutureImage?, _ need: Need, isGuess: Bool = false) {
    if isGuess { warnIfLazy(future) }
    // Race: a late layout that brings a former model back.
    guard isDecided else { return lend(future, need) }
    guard var known = self.need, subscription != nil else { return }
    known.size = need.size
    lend(self.future, known)
  }

  /// Releases the pixels of a view that is gone, and which others may need more.
  func leave() {
    isDecided = true
    drop()
  }

  private func lend(_ future: FutureImage?, _ need: Need) {
    var need = need
    need.size = need.size ?? self.need?.size
    self.need = need
    guard let future = future?.root, let fitting = need.fitting else { return drop() }
    if let subscription, future === self.future {
      subscription.fitting = fitting
      subscription.isDark = need.isDark
      return
    }
    // The last body has shown this, and is evaluated again when it changes.
    seen = future.available(for: fitting, isDark: need.isDark)
    let made = FutureImage.Subscription(of: future, fitting: fitting, isDark: need.isDark) { [weak self] subscription in
      self?.take(subscription)
    }
    let isNews = made.image.map { $0 !== seen } ?? (made.failure != nil)
    self.future = future
    if isNews { registrar.withMutation(of: self, keyPath: \.subscription) { subscription = made } } else { subscription = made }
    if made.image != nil { seen = made.image }
  }

  /// Notes that the subscription has another image or failure. The last body may have shown the image before the subscription had it.
  private func take(_ subscription: FutureImage.Subscription) {
    let image = subscription.image
    guard image == nil || image !== seen else { return }
    seen = image
    // The last body may have run before there was a subscription to observe.
    // Race: a body that does not learn of its subscription.
    registrar.withMutation(of: self, keyPath: \.subscription) { if image != nil { arrivals += 1 } }
  }

  // Race: a subscription of a view that is gone.
  private func drop() {
    subscription = nil
    future = nil
  }

  /// Warns of a guessed size in a lazy container: only such a container lays a view out in an earlier turn of the main thread than that in
  /// which it appears. Does nothing in a release build.
  private func warnIfLazy(_ future: FutureImage?) {
    #if DEBUG
    guard !hasAppeared, let future, future.root.descriptor != nil else { return }
    warnings.report(
      "FutureImage: a row of a list or lazy stack shows \(future.key) in a FutureImageView of 4 : 3, because neither the view nor the model "
        + "says its shape; pass a ratio, set a frame, or give the future its size.",
      once: "a guessed size in a lazy container")
    #endif
  }
}

extension FutureImage {
  /// Returns the best image that a view can show at once: of the pool, or the largest one that others show. Observable. Uses this future as
  /// any code does that has it, but not the one of two images that the view does not need.
  @MainActor fileprivate func available(for fitting: Fitting?, isDark: Bool) -> UIImage? {
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
