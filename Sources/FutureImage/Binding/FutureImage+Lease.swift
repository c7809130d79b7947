import Observation

extension FutureImage {
  /// Pixels of a picture for as long as this object lives: for whatever shows pictures and is no view that this library knows, such as a
  /// layer, a canvas, or a view of another toolkit.
  ///
  ///     lease = FutureImage.Lease(of: item.photo) { [weak self] lease in self?.draw(lease.image) }
  ///
  ///     func layout(_ size: CGSize, scale: CGFloat) {
  ///       lease?.fitting = .fit(CGSize(width: size.width * scale, height: size.height * scale))
  ///     }
  ///
  /// It does what a bound view does. The bytes are as urgent as those of any picture on the screen. Pixels are decoded for ``fitting`` as
  /// soon as that is known, and decoded anew when it grows. They count as shown: whoever needs them finds them, though the loader's
  /// limit has let them go. A reload, or ``Loader/set(_:forKey:)``, brings the new picture here, too.
  ///
  /// The lease holds its future, and the future does not hold the lease. It ends with ``end()``, or when its last reference is released, on
  /// any thread; a decode that nobody else needs is canceled then.
  @MainActor public final class Lease: Observable {
    /// Nil once it has ended.
    private var picture: FutureImage?
    /// The image that a view would hold: the picture, fewer pixels of it in a shape that holds the future, or the future itself.
    private(set) var held: UIImage?
    private var change: OnMain<Change>?
    private let registrar = ObservationRegistrar()

    /// The box in pixels that shows the picture; nil while nobody knows, and then no pixels are decoded.
    ///
    /// Set it whenever it changes: after layout, for a zoom, on another display. A box that has become smaller keeps its pixels.
    public var fitting: Fitting? {
      didSet { if fitting != oldValue { picture?.pursueForViews(restartingIfGrown: true) } }
    }

    /// - Parameters:
    ///   - future: a source with a dark picture shows the light one, since a lease has no traits.
    ///   - fitting: the box in pixels that shows the picture, where it is known already.
    ///   - onChange: is called on the main actor when ``image`` has become another one, and not for what there is at once.
    public init(of future: FutureImage, fitting: Fitting? = nil, onChange: (@MainActor @Sendable (Lease) -> Void)? = nil) {
      self.fitting = fitting
      picture = future.root
      future.root.bind(.lease(self))
      change = onChange.map { OnMain(Change(body: $0)) }
    }

    deinit {
      guard let picture else { return }
      // The main dispatch queue is the main actor's executor.
      Scheduling.onMain { MainActor.assumeIsolated { picture.giveBackPixels() } }
    }

    /// The best pixels that are here, at first perhaps fewer than ``fitting`` shows; nil while there are none, and once the lease has ended.
    /// Reading it requests nothing. Observable.
    public var image: UIImage? {
      registrar.access(self, keyPath: \.image)
      return heldPicture
    }

    private var heldPicture: UIImage? {
      guard let future = held as? FutureImage else { return held }
      if future.origin != nil { return future.borrowed?.original }
      return future.descriptor == nil && future.cgImage != nil ? future : nil
    }

    /// Gives the pixels back. What else refers to the lease finds nothing in it from now on.
    public func end() {
      guard let picture = picture.take() else { return }
      hold(nil)
      picture.giveBackPixels()
    }

    /// Takes an image that the future puts here.
    func hold(_ image: UIImage?) {
      let former = heldPicture
      registrar.withMutation(of: self, keyPath: \.image) { held = image }
      if heldPicture !== former { change?.object.body(self) }
    }

    /// The app's closure: by whichever thread it is released, it may own objects of the user interface.
    private final class Change: Sendable {
      let body: @MainActor @Sendable (Lease) -> Void

      init(body: @escaping @MainActor @Sendable (Lease) -> Void) { self.body = body }
    }
  }

  /// A lease has ended: a decode that nobody else needs is canceled.
  @MainActor fileprivate func giveBackPixels() {
    guard descriptor != nil else { return }
    pursueForViews()
    let isBound = !bindings.isEmpty
    change { $0.giveBackPixels(isBound: isBound) }
  }
}

extension FutureImage.State {
  fileprivate mutating func giveBackPixels(isBound: Bool) -> FutureImage.Effects {
    self.isBound = isBound
    guard !isBound, !reader.waitsForPixels, !hasWaiters, !pixelRequests.isEmpty else { return FutureImage.Effects() }
    defer { pixelRequests = [] }
    return FutureImage.Effects(canceled: pixelRequests, mustCommit: mustCommit())
  }
}
