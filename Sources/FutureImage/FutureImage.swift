/// A picture that is not here yet, in the shape of one that is.
///
/// Make it where the model has a URL; its bytes are fetched at once. Show it wherever a picture goes; pixels are made when somebody needs
/// them, in the size that is needed. Whoever holds the future or shows it keeps its transfer alive, nobody else does.
///
///     struct Item: Decodable {
///       let title: String
///       @FutureImage.FromURL var photo: FutureImage
///     }
///     cell.imageView.futureImage = item.photo
///
/// It is created, asked, cancelled and let go on any thread. What changes visibly (``phase``, ``image``, views) changes on the main actor.
///
/// Until its picture is here a future looks like its placeholder. With neither a placeholder nor a `size` it has the size (0, 0), and
/// collapses views that size themselves. Pictures derived from it (`withRenderingMode`, `preparingForDisplay` …) are derived from the
/// placeholder: derive from ``image`` or ``value`` instead. Two futures are equal only if they are the same object.
public final class FutureImage: UIImage, @unchecked Sendable {
  // Sendable: `descriptor`, `origin` and `interim` are written once, in the initializer, before anybody else has the object; `state` is
  // behind its lock; `bindings` belongs to the main actor.

  /// Nil for a future without a source: one that was decoded by a coder, or made by an initializer of UIImage.
  private(set) var descriptor: Descriptor?
  /// The future that this one stands for in a view: it only carries the pixels that are there so far.
  private(set) var origin: FutureImage?
  /// Of an interim: the picture whose pixels it has, which lives as long as they are shown.
  private var interim: UIImage?
  let state = Lock(State())
  @MainActor var bindings: [Binding] = []

  /// Fetches the picture at a URL.
  /// - Parameters:
  ///   - url: `http`, `https` or `data`. Others fail at once, without a request.
  ///   - placeholder: the name of a picture among the app's assets, shown until this one is here.
  ///   - cachePolicy: what lasts beyond the model; ``CachePolicy/automatic`` if nil.
  ///   - size: the picture's size in points, if it is known: what ``size`` says before and after the picture is here. It is that of the
  ///     picture as it comes; what a transform makes of it is reckoned from it.
  ///   - transform: what is done to its pixels before anybody sees them.
  ///   - priority: which of two that are wanted alike is loaded first.
  ///   - loader: whose caches, limits and fetcher it uses.
  public convenience init(
    at url: URL, placeholder: String? = nil, cachePolicy: CachePolicy? = nil, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    // Not by an initializer of this class: `imageNamed:` makes a plain UIImage whatever class it is sent to.
    let image = placeholder.flatMap { UIImage(named: $0) }
    self.init(
      .url(url), placeholder: image, cachePolicy: cachePolicy, size: size, transform: transform, priority: priority, loader: loader)
  }

  /// Fetches the picture at a URL, and shows another until it is here.
  public convenience init(
    at url: URL, placeholder: UIImage, cachePolicy: CachePolicy? = nil, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    self.init(
      .url(url), placeholder: placeholder, cachePolicy: cachePolicy, size: size, transform: transform, priority: priority,
      loader: loader)
  }

  /// Gets a picture from wherever the source says.
  public convenience init(
    _ source: Source, placeholder: UIImage? = nil, cachePolicy: CachePolicy? = nil, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    self.init(looksOf: placeholder)
    let descriptor = Descriptor(
      source: source, policy: cachePolicy, size: size, transform: transform, priority: priority, loader: loader)
    self.descriptor = descriptor
    begin(descriptor)
  }

  /// The pixels of another future's picture so far, in a shape that keeps that future alive.
  convenience init(interim image: UIImage, of origin: FutureImage) {
    self.init(looksOf: image)
    self.origin = origin
    interim = image
  }

  private convenience init(looksOf image: UIImage?) {
    if let image, let pixels = image.cgImage {
      self.init(cgImage: pixels, scale: image.scale, orientation: image.imageOrientation)
    } else {
      self.init()
    }
  }

  deinit {
    guard let descriptor else { return }
    let asks = state.withLock { $0.dropAsks() }
    descriptor.loader.farewell(ObjectIdentifier(self), descriptor, bytesTickets: asks.bytes, pixelAsks: asks.pixels)
  }

  /// This future, or the one whose pixels it carries.
  var root: FutureImage { origin ?? self }

  /// The key of the picture in caches and messages; nil for a future without a source.
  public var key: String? { root.descriptor?.key.text }

  // MARK: As a UIImage

  /// The size in points that was given, as its transform makes it; else the placeholder's.
  public override var size: CGSize { root.descriptor?.transformedSize ?? interim?.size ?? super.size }

  /// Of an interim the frames that there are so far.
  public override var images: [UIImage]? { interim?.images ?? super.images }

  public override var duration: TimeInterval { interim?.duration ?? super.duration }

  public override func isEqual(_ object: Any?) -> Bool { self === object as AnyObject? }

  public override var hash: Int { ObjectIdentifier(self).hashValue }

  /// A future that comes out of a coder has the placeholder's looks and no source.
  public override class var supportsSecureCoding: Bool { true }
}
