import Observation

extension FutureImage {
  /// The pixels of an image, for as long as this object lives. Use it to show images in something other than a view that this library
  /// knows, such as a layer, a canvas, or a view of another toolkit.
  ///
  ///     subscription = FutureImage.Subscription(of: item.photo) { [weak self] subscription in self?.draw(subscription.image) }
  ///
  ///     func layout(_ size: CGSize, scale: CGFloat) {
  ///       subscription?.fitting = .fit(FutureImage.PixelSize(size, scale: scale))
  ///     }
  ///
  /// A subscription does what a bound view does. Its bytes are as urgent as those of any image on the screen. Pixels are decoded for
  /// ``fitting`` as soon as it is known, and decoded again when it grows. They count as shown: any view that needs them finds them, even
  /// after the loader's limit has evicted them. A reload, or ``Loader/set(_:forKey:freshFor:)-(UIImage,_,_)``, delivers the new image here,
  /// too.
  ///
  /// The subscription retains its future, and the future does not retain the subscription. It ends with ``end()``, or when its last
  /// reference is released, on any thread. A decode that nothing else needs is then canceled.
  @MainActor public final class Subscription: Observable {
    /// Nil once the subscription has ended.
    private var picture: FutureImage?
    /// The image that a view would retain: the image itself, a carrier with fewer pixels, or the future.
    private(set) var held: UIImage?
    private var change: OnMain<Change>?
    private var shownFailure: Failure?
    private let registrar = ObservationRegistrar()

    /// The box in pixels that shows the image. While it is nil, no pixels are decoded.
    ///
    /// Set it whenever it changes: after layout, for a zoom, on another display. A box that has become smaller keeps its pixels.
    public var fitting: Fitting? {
      didSet {
        guard fitting != oldValue, let picture else { return }
        for reader in picture.readersInUse { reader.measureViews(restartingIfGrown: true) }
      }
    }

    /// Whether the image is shown in dark mode: then a source that has a dark image shows that. After a change, the former image remains
    /// until the other one has arrived.
    public var isDark: Bool {
      didSet { if isDark != oldValue { picture?.styleChanged(in: .subscription(self)) } }
    }

    /// - Parameters:
    ///   - future: the image to show.
    ///   - fitting: the box in pixels that shows the image, if it is known already.
    ///   - isDark: whether the image is shown in dark mode.
    ///   - onChange: called on the main actor when ``image`` or ``failure`` changes, but not for what is known at once.
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
      // Race: a subscription that gives its pixels back on whichever thread it ends.
      Scheduling.onMain { MainActor.assumeIsolated { picture.giveBackPixels() } }
    }

    /// The best available pixels, at first perhaps fewer than ``fitting`` shows; nil while there are none, and once the subscription has
    /// ended. Reading it requests nothing. Observable.
    public var image: UIImage? {
      registrar.access(self, keyPath: \.image)
      return heldPicture
    }

    /// The reason why the image did not load; nil while it loads, once there is one, and once the subscription has ended. Observable.
    public var failure: Failure? {
      registrar.access(self, keyPath: \.failure)
      return shownFailure
    }

    private var heldPicture: UIImage? {
      guard let future = held as? FutureImage else { return held }
      if future.origin != nil { return future.borrowed?.original }
      return future.descriptor == nil && future.cgImage != nil ? future : nil
    }

    /// Releases the pixels. Other references to the subscription find it empty from now on.
    public func end() {
      guard let picture = picture.take() else { return }
      hold(nil)
      show(nil)
      picture.giveBackPixels()
    }

    /// Stores an image that the future delivers.
    func hold(_ image: UIImage?) {
      let former = heldPicture
      registrar.withMutation(of: self, keyPath: \.image) { held = image }
      if heldPicture !== former { change?.object.body(self) }
    }

    /// Stores the failure of the image, if it has failed.
    func show(_ failure: Failure?) {
      guard failure != shownFailure else { return }
      registrar.withMutation(of: self, keyPath: \.failure) { shownFailure = failure }
      change?.object.body(self)
    }

    /// The app's closure. It may own objects of the user interface, whichever thread releases it.
    private final class Change: Sendable {
      let body: @MainActor @Sendable (Subscription) -> Void

      init(body: @escaping @MainActor @Sendable (Subscription) -> Void) { self.body = body }
    }
  }

  /// Cancels decodes that nothing else needs after a subscription has ended.
  @MainActor fileprivate func giveBackPixels() {
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
