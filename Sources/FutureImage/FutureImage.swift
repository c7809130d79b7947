/// An image that loads itself, for use wherever a `UIImage` is expected.
///
/// Create a future where the model has a URL. It fetches its bytes at once. Show it in any view. Pixels are decoded when a view or a task
/// needs them, at the size that it needs. The transfer continues as long as something retains the future or shows it.
///
///     struct Item: Decodable {
///       let title: String
///       @FutureImage.FromURL var photo: FutureImage
///     }
///     cell.imageView.futureImage = item.photo
///
/// Create, read, cancel, and release futures on any thread. Visible changes (``phase``, ``image``, views) happen on the main actor.
///
/// Until its image has loaded, a future looks like its placeholder, with its tint and its variants for dark mode. Without a placeholder and
/// a `size`, its size is (0, 0), and views that size themselves collapse. `withRenderingMode` and `withTintColor` return a future whose
/// image arrives in that mode or tint. UIKit's other methods use the placeholder. Two futures are equal only if they are the same object.
@requires_stored_property_inits @propertyWrapper
public final class FutureImage: UIImage, @unchecked Sendable {
  // Sendable: the properties are written once, in the initializers, before any other code has the object. The reader is Sendable itself.
  //
  // UIKit copies images without calling an initializer of their class. In such a copy, all of these may be zero bytes, which is nil.

  /// The part of the future that its loader knows, and that the places of its image belong to; nil for a future without a source: one that
  /// was decoded by a coder, made by an initializer of UIImage, or copied by UIKit.
  private(set) var reader: Reader?
  private var carriage: Carriage?
  /// The image that this one looks like: its placeholder; for a carrier, the image whose pixels it has.
  private(set) var borrowed: BorrowedImage?

  /// Creates a future that fetches the image at a URL, at once. For lists of many rows, see <doc:ModelsAndFutures>.
  /// - Parameters:
  ///   - url: an `http`, `https`, or `data` URL. With any other scheme, the future fails at once, without a request.
  ///   - placeholder: the name of an asset of the app, which is shown until the image has loaded. If the asset does not exist, the log says
  ///     so once.
  ///   - cachePolicy: what is cached beyond the life of the model.
  ///   - size: the size of the image in points, if it is known. ``size`` returns it before and after the image has loaded, or the size that
  ///     the transform makes of it.
  ///   - transform: the changes to the pixels before the image is shown.
  ///   - priority: the order among images that are equally urgent.
  ///   - loader: the loader whose caches, limits, and fetcher are used.
  public convenience init(
    at url: URL, placeholder: String? = nil, cachePolicy: CachePolicy = .automatic, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    let image = placeholder.flatMap { Placeholder.named($0).image() }
    self.init(
      .url(url), placeholder: image, cachePolicy: cachePolicy, size: size, transform: transform, priority: priority, loader: loader)
  }

  /// Creates a future that fetches the image at a URL, and shows another image, if there is one, until it has loaded.
  @_disfavoredOverload public convenience init(
    at url: URL, placeholder: UIImage?, cachePolicy: CachePolicy = .automatic, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    self.init(
      .url(url), placeholder: placeholder, cachePolicy: cachePolicy, size: size, transform: transform, priority: priority,
      loader: loader)
  }

  /// Creates a future that loads the image of a source.
  public convenience init(
    _ source: Source, placeholder: UIImage? = nil, cachePolicy: CachePolicy = .automatic, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    let descriptor = Descriptor(
      source: source, policy: cachePolicy, size: size, transform: transform, priority: priority, loader: loader)
    self.init(descriptor, placeholder: placeholder)
  }

  /// Creates the future that a descriptor describes.
  /// - Parameter isDeferred: whether the fetch starts at the future's first use instead of now. With two images, it always does, because
  ///   which of them is needed is not known before.
  convenience init(_ descriptor: Descriptor, placeholder: UIImage?, isDeferred: Bool = false) {
    self.init(borrowing: placeholder)
    let isDeferred = isDeferred || descriptor.source.dark != nil
    let reader = Reader(descriptor, isDeferred: isDeferred)
    self.reader = reader
    if !isDeferred { descriptor.loader.begin(reader) }
  }

  /// Creates a carrier: the pixels of another image, which a view shows on behalf of a future. The carrier retains that future.
  /// - Parameter onDrop: called on the main actor, in a turn after the carrier has been released.
  convenience init(carrying image: UIImage?, for origin: FutureImage, onDrop: (@MainActor @Sendable () -> Void)? = nil) {
    self.init(borrowing: image)
    carriage = Carriage(origin: origin, onDrop: onDrop)
  }

  /// The parts of a carrier that other images lack.
  private final class Carriage: Sendable {
    let origin: FutureImage
    let onDrop: (@MainActor @Sendable () -> Void)?

    init(origin: FutureImage, onDrop: (@MainActor @Sendable () -> Void)?) {
      self.origin = origin
      self.onDrop = onDrop
    }
  }

  private convenience init(borrowing image: UIImage?) {
    // Not a future itself: as a placeholder, it would keep its transfer alive, and cells that pass on the image that they show would build
    // a chain.
    let borrowed = ((image as? FutureImage)?.still ?? image).map { BorrowedImage.of($0) }
    if let borrowed, let pixels = borrowed.bitmap {
      self.init(cgImage: pixels, scale: borrowed.original.scale, orientation: borrowed.original.imageOrientation)
    } else {
      self.init()
    }
    self.borrowed = borrowed
  }

  deinit {
    // A carrier that its place has dropped. The main dispatch queue is the main actor's executor.
    if let onDrop = carriage?.onDrop { Scheduling.onMain { MainActor.assumeIsolated { onDrop() } } }
    guard let reader else { return }
    Scheduling.point()
    let loader = reader.descriptor.loader
    if let dark = reader.knownDark { loader.endFuture(of: dark) }
    loader.endFuture(of: reader)
  }

  /// The image that the future loads, and how; nil for a future without a source.
  var descriptor: Descriptor? { reader?.descriptor }

  /// The future that this carrier represents in a view. A carrier has only the pixels that are available so far.
  var origin: FutureImage? { carriage?.origin }

  /// This future, or the one whose pixels it carries.
  var root: FutureImage { origin ?? self }

  /// The key of the image in caches and messages; empty for a future without a source.
  public var key: String { root.descriptor?.key.text ?? "" }

  /// The URL of the image, in its canonical spelling and without credentials; nil for an image from a closure or in memory, and for a
  /// future without a source.
  public var url: URL? { root.descriptor?.source.url }

  /// The text that describes the image to people who do not see it, which a recipe takes from the model; nil without such a recipe.
  ///
  /// An image view, and a button without a title, has it as its `accessibilityLabel` as long as it is bound to the future, unless the app
  /// has set a label before. Where a larger view is one element, such as a cell, describe that view.
  public var alternativeText: String? { root.descriptor?.alternativeText }

  /// Unavailable. Use ``FromURL``, or ``From`` with a recipe. This declaration and the class's attribute let the compiler suggest them for
  /// `@FutureImage var`.
  @available(*, unavailable, message: "Write @FutureImage.FromURL, or @FutureImage.From with a recipe, in place of @FutureImage.")
  public var wrappedValue: FutureImage { self }

  // MARK: As a UIImage

  /// The size in points that was given, or that the transform makes of it; otherwise the placeholder's.
  public override var size: CGSize { root.descriptor?.transformedSize ?? borrowed?.original.size ?? super.size }

  /// The placeholder's frames; for an image that a view got while it loads, the frames loaded so far.
  public override var images: [UIImage]? { borrowed?.original.images ?? super.images }

  /// The duration of ``images`` in seconds; 0 without frames.
  public override var duration: TimeInterval { borrowed?.original.duration ?? super.duration }

  /// The mode in which the image arrives, if this future was derived by ``withRenderingMode(_:)``; otherwise the placeholder's.
  public override var renderingMode: UIImage.RenderingMode {
    root.descriptor?.appearance?.renderingMode ?? borrowed?.original.renderingMode ?? super.renderingMode
  }

  /// The image that a view draws and measures for its traits: the placeholder's variant for them, so that an asset has its dark variant,
  /// and a symbol its tint, point size, weight, scale, and palette; without a placeholder, this future itself.
  ///
  /// If the future's size is known, the variant has that size for views. Symbols and tinted images keep their own, because UIKit offers no
  /// way to draw them in an image of another size.
  public override func withConfiguration(_ configuration: UIImage.Configuration) -> UIImage {
    noteDrawing()
    return borrowed?.adapted(to: configuration, size: root.descriptor?.transformedSize) ?? self
  }

  /// The placeholder's bitmap; without a placeholder, one transparent pixel, because UIKit raises an exception for an image without a
  /// bitmap among a view's `animationImages`.
  public override var cgImage: CGImage? {
    guard root.descriptor != nil else { return super.cgImage }
    noteDrawing()
    return super.cgImage ?? .transparent
  }

  /// Returns a future of the same image, which arrives in that rendering mode. Its placeholder has the mode, too. It is another future,
  /// the same for each call as long as it is retained or shown, and this one if the image and its placeholder have the mode already.
  public override func withRenderingMode(_ renderingMode: UIImage.RenderingMode) -> UIImage {
    derived(.renderingMode(renderingMode))
  }

  /// Returns a future of the same image, which arrives in that tint. Its placeholder has the tint, too.
  public override func withTintColor(_ color: UIColor) -> UIImage { derived(.tint(color)) }

  /// Returns a future of the same image, which arrives in that tint and rendering mode. Its placeholder has both, too.
  public override func withTintColor(_ color: UIColor, renderingMode: UIImage.RenderingMode) -> UIImage {
    derived(.tintInMode(color, renderingMode))
  }

  // The methods below return copies of the placeholder, which are not futures.

  /// The placeholder with those insets, in points.
  public override func withAlignmentRectInsets(_ insets: UIEdgeInsets) -> UIImage {
    still?.withAlignmentRectInsets(insets) ?? self
  }

  /// The placeholder with a baseline, in points from its bottom.
  public override func withBaselineOffset(fromBottom offset: CGFloat) -> UIImage { still?.withBaselineOffset(fromBottom: offset) ?? self }

  /// The placeholder without a baseline.
  public override func imageWithoutBaseline() -> UIImage { still?.imageWithoutBaseline() ?? self }

  /// The placeholder, mirrored where text runs from right to left.
  public override func imageFlippedForRightToLeftLayoutDirection() -> UIImage {
    still?.imageFlippedForRightToLeftLayoutDirection() ?? self
  }

  /// The placeholder, mirrored.
  public override func withHorizontallyFlippedOrientation() -> UIImage { still?.withHorizontallyFlippedOrientation() ?? self }

  /// The placeholder in standard dynamic range.
  public override func imageRestrictedToStandardDynamicRange() -> UIImage { still?.imageRestrictedToStandardDynamicRange() ?? self }

  /// The placeholder, decoded; nil without one. Await ``value`` for the image, which is already decoded.
  public override func preparingForDisplay() -> UIImage? { still?.preparingForDisplay() }

  /// The placeholder at that size in points; nil without one. Await ``value(fitting:)`` for the image.
  public override func preparingThumbnail(of size: CGSize) -> UIImage? { still?.preparingThumbnail(of: size) }

  /// Calls back with ``preparingForDisplay()`` on a thread of UIKit.
  public override func prepareForDisplay(completionHandler: @escaping @Sendable (UIImage?) -> Void) {
    (still ?? UIImage()).prepareForDisplay(completionHandler: completionHandler)
  }

  /// Calls back with ``preparingThumbnail(of:)`` on a thread of UIKit.
  public override func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (UIImage?) -> Void) {
    (still ?? UIImage()).prepareThumbnail(of: size, completionHandler: completionHandler)
  }

  /// Whether it is the same object.
  public override func isEqual(_ object: Any?) -> Bool { self === object as AnyObject? }

  /// The hash of its identity.
  public override var hash: Int { ObjectIdentifier(self).hashValue }

  /// The name of the image, its phase, and its size in pixels. Reading it fetches nothing. Any thread may read it.
  ///
  ///     FutureImage(https://example.com/a.jpg, ready, 1200 × 900 pixels)
  public override var description: String { summary ?? super.description }

  /// `UIImage`: an archive has the placeholder's pixels, and becomes a plain image when it is read.
  public override var classForCoder: AnyClass { UIImage.self }

  /// True.
  public override class var supportsSecureCoding: Bool { true }

  /// Returns the future of the same image in another appearance; without a source, an image in it.
  private func derived(_ change: Appearance.Change) -> UIImage {
    guard let descriptor = root.descriptor else { return change.applied(to: still ?? UIImage()) }
    if case .renderingMode(let mode) = change, mode == descriptor.appearance?.renderingMode ?? .automatic, mode == renderingMode {
      return self
    }
    guard let images = root.withReader(\.derivedImages) else { return self }
    return images.image(with: change) {
      let placeholder = root.borrowed.map { $0.derived(by: change) }
      return FutureImage(descriptor.adding(change), placeholder: placeholder, isDeferred: root.isDeferred)
    }
  }

  /// An image that looks like this one and is not of this class; nil if there is nothing to show.
  fileprivate var still: UIImage? { borrowed?.original ?? (root.descriptor == nil ? plain : nil) }
}

/// Access to the future's reader, which its loader's lock guards.
extension FutureImage {
  /// Reads or changes the future's reader inside the loader's lock, as ``Reader/withLock(_:)`` does.
  /// - Returns: nil for a future without a source.
  @discardableResult func withReader<Result>(_ body: (Reader) -> Result) -> Result? { reader?.withLock(body) }

  /// Whether the future has not been used yet. A wrapped collection creates such futures, so that counting it or using one element does not
  /// fetch the others. Until its first use, a future is not registered with the loader.
  var isDeferred: Bool { withReader { $0.demand == .deferred } ?? false }

  /// Starts the fetch of a future that was created without one. All members that request the image, or read its phase, call this first.
  func start() { reader?.start() }

  /// Whether there is an image to reload: this future was used, or the image is in use elsewhere.
  var isInUse: Bool {
    guard let descriptor, !Source.namesNoImage(key) else { return false }
    return !isDeferred || reader?.knownDark != nil || descriptor.loader.isInUse(descriptor.key)
  }
}
