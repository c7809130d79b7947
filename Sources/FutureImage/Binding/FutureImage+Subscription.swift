import Observation

extension FutureImage {
  /// A subscription to the pixels of an image, for as long as this object exists. Use it to show an image in something that this library
  /// does not support, such as a layer, a canvas, or a view of another toolkit.
  ///
  ///     subscription = FutureImage.Subscription(of: item.photo) { [weak self] subscription in self?.draw(subscription.image) }
  ///
  ///     func layout(_ size: CGSize, scale: CGFloat) {
  ///       subscription?.fitting = .fit(FutureImage.PixelSize(size, scale: scale))
  ///     }
  ///
  /// A subscription does what a bound view does. Its bytes are as urgent as the bytes of an image on the screen. Pixels are decoded for
  /// ``fitting`` as soon as it is known, and decoded again when it grows. The pixels count as shown, so any view that needs them can use
  /// them, even after the loader's pool has evicted them. A reload, or ``Loader/set(_:forKey:freshFor:)-(BaseImage,_,_)``, also delivers
  /// the new image to subscriptions.
  ///
  /// The subscription retains its future, and the future does not retain the subscription. The subscription ends when you call ``end()``,
  /// or when its last reference is released, which any thread may do. A decode that nothing else needs is then canceled.
  @MainActor public final class Subscription: Observable {
    /// The future that the subscription shows; nil once the subscription has ended.
    private var picture: FutureImage?
    /// The image that a view would retain: the image itself, a carrier (a private future with fewer pixels than needed), or the future.
    private(set) var held: BaseImage?
    private var change: OnMain<Change>?
    private var shownFailure: Failure?
    private let registrar = ObservationRegistrar()

    /// The box, in pixels, in which the image is shown. While it is nil, no pixels are decoded.
    ///
    /// Set it whenever the box changes, such as after a layout, for a zoom, or on another display. If the box becomes smaller, the current
    /// pixels remain.
    public var fitting: Fitting? {
      didSet {
        guard fitting != oldValue, let picture else { return }
        for reader in picture.readersInUse { reader.measureViews(restartingIfGrown: true) }
      }
    }

    /// Whether the image is shown in dark mode. If so, a source that has an image for dark mode delivers that image. After a change, the
    /// former image remains until the other image has arrived.
    public var isDark: Bool {
      didSet { if isDark != oldValue { picture?.styleChanged(in: .subscription(self)) } }
    }

    /// - Parameters:
    ///   - future: the image to show.
    ///   - fitting: the box, in pixels, in which the image is shown, if it is already known.
    ///   - isDark: whether the image is shown in dark mode.
    ///   - onChange: called on the main actor when ``image`` or ``failure`` changes, but not for a value that is available when the
    ///     subscription is created.
    public init(
      of future: FutureImage, fitting: Fitting? = nil, isDark: Bool = false, onChange: (@MainActor @Sendable (Subscription) -> Void)? = nil
    ) {
      self.fitting = fitting
      self.isDark = isDark
      picture = future.root
      future.root.bind(.subscription(self))
      change = onChange.map { OnMain(Change(body: $0)) }
    }

    deinit {
      guard let picture else { return }
      // The main dispatch queue is the main actor's executor.
      // Race: a subscription that releases its pixels off the main thread.
      Scheduling.onMain { MainActor.assumeIsolated { picture.cancelUnneededDecodes() } }
    }

    /// The image with the best available pixels, which may at first be fewer than ``fitting`` needs. Nil while there are no pixels, and
    /// after the subscription has ended. Reading this property requests nothing. This property is observable.
    public var image: BaseImage? {
      registrar.access(self, keyPath: \.image)
      return heldImage
    }

    /// The reason why the image did not load. Nil while the image loads, after it has loaded, and after the subscription has ended. This
    /// property is observable.
    public var failure: Failure? {
      registrar.access(self, keyPath: \.failure)
      return shownFailure
    }

    private var heldImage: BaseImage? {
      guard let future = held as? FutureImage else { return held }
      // Only a carrier has an origin.
      if future.origin != nil { return future.borrowed?.original }
      // A future without a source is an image if it has pixels.
      return future.descriptor == nil && future.cgImage != nil ? future : nil
    }

    /// Ends the subscription, and releases the pixels. From then on, ``image`` and ``failure`` are nil for all code that has a reference to
    /// the subscription.
    public func end() {
      guard let picture = picture.take() else { return }
      hold(nil)
      show(nil)
      picture.cancelUnneededDecodes()
    }

    /// Stores an image that the future delivers.
    func hold(_ image: BaseImage?) {
      let former = heldImage
      registrar.withMutation(of: self, keyPath: \.image) { held = image }
      if heldImage !== former { change?.object.body(self) }
    }

    /// Stores the failure of the image; nil if it has not failed.
    func show(_ failure: Failure?) {
      guard failure != shownFailure else { return }
      registrar.withMutation(of: self, keyPath: \.failure) { shownFailure = failure }
      change?.object.body(self)
    }

    /// The app's closure. It may own objects of the user interface, so an `OnMain` releases it on the main thread.
    private final class Change: Sendable {
      let body: @MainActor @Sendable (Subscription) -> Void

      init(body: @escaping @MainActor @Sendable (Subscription) -> Void) { self.body = body }
    }
  }

  /// Cancels decodes that nothing else needs after a subscription has ended.
  @MainActor fileprivate func cancelUnneededDecodes() {
    for reader in readersInUse {
      reader.measureViews()
      guard reader.bindings.isEmpty else { continue }
      let loader = reader.descriptor.loader
      loader.change { state in
        reader.isBound = false
        guard !reader.hasWaiters, !reader.decodes.isEmpty else { return }
        loader.leaveDecodes(reader, &state)
        loader.commit(reader, &state)
      }
    }
  }
}
