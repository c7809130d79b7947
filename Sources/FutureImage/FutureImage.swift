/// An image that loads itself, for use wherever a `UIImage` is expected.
///
/// Create a future where the model has a URL, and show it in any view. The future fetches its bytes at once. Its pixels are decoded when a
/// view or a task needs them, at the size that this view or task needs. The transfer continues as long as something retains or shows the
/// future.
///
///     struct Item: Decodable {
///       let title: String
///       @FutureImage.FromURL var photo: FutureImage
///     }
///     cell.imageView.futureImage = item.photo
///
/// Create, read, cancel, and release futures on any thread. Visible changes (``phase``, ``image``, views) happen on the main actor.
///
/// Until its image has loaded, a future looks like its placeholder, including the placeholder's tint and its variants for dark mode. A
/// future with neither a placeholder nor a `size` has the size (0, 0), so views that size themselves collapse. `withRenderingMode` and
/// `withTintColor` return a future whose image arrives in that mode or tint. UIKit's other methods use the placeholder. Two futures are
/// equal only if they are the same object.
@requires_stored_property_inits @propertyWrapper
public final class FutureImage: BaseImage, @unchecked Sendable {
  // Sendable: the properties are written once, in the initializers, before any other code has the object. The reader is Sendable itself.
  //
  // UIKit copies images without calling an initializer of their class. In such a copy, all of these properties may be zero bytes, which
  // mean nil.

  /// The loader's part of the future. It records the views and other places that show the image. Nil for a future without a source, which
  /// was decoded by a coder, made by an initializer of UIImage, or copied by UIKit.
  private(set) var reader: Reader?
  /// The properties of a carrier, which is a private future that a view shows in place of the app's future. Nil for any other future.
  private var carrierProperties: CarrierProperties?
  /// The image that this future looks like: its placeholder or, for a carrier, the image whose pixels the carrier has.
  private(set) var borrowed: BorrowedImage?

  /// Creates a future that at once fetches the image at a URL. For lists of many rows, see <doc:ModelsAndFutures>.
  ///
  ///     let photo = FutureImage(at: place.photoURL, placeholder: .blurHash(place.blurHash), size: place.size)
  /// - Parameters:
  ///   - url: an `http`, `https`, or `data` URL. With any other scheme, the future fails at once, without a request.
  ///   - placeholder: the image to show until the image at the URL has loaded. A string literal is the name of an asset of the app. The
  ///     placeholder's image is made at once, in the size that the loaded image has after its transform.
  ///   - cachePolicy: the caches that store the image beyond the lifetime of the model.
  ///   - size: the size of the image in points, if it is known. Both before and after the image has loaded, the property ``size`` returns
  ///     this size, as changed by the transform.
  ///   - transform: the changes to the pixels before the image is shown.
  ///   - priority: the order among images that are equally urgent.
  ///   - loader: the loader whose caches, limits, and fetcher are used.
  public convenience init(
    at url: URL, placeholder: Placeholder? = nil, cachePolicy: CachePolicy = .automatic, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    self.init(
      .url(url), placeholder: placeholder, cachePolicy: cachePolicy, size: size, transform: transform, priority: priority, loader: loader)
  }

  /// Creates a future that at once loads the image of a source. The other parameters are those of
  /// ``init(at:placeholder:cachePolicy:size:transform:priority:loader:)``.
  public convenience init(
    _ source: Source, placeholder: Placeholder? = nil, cachePolicy: CachePolicy = .automatic, size: CGSize? = nil,
    transform: Transform? = nil, priority: Priority = .normal, loader: Loader = .shared
  ) {
    let settings = Descriptor.Settings(policy: cachePolicy, size: size, transform: transform, priority: priority)
    let descriptor = Descriptor(source: source, settings, loader: loader)
    self.init(descriptor, placeholder: placeholder?.image(for: descriptor))
  }

  /// Creates the future that a descriptor describes.
  /// - Parameter isDeferred: whether the fetch starts at the future's first use instead of now. If the source has another image for dark
  ///   mode, the fetch is always deferred, because only the first use determines which image is needed.
  convenience init(_ descriptor: Descriptor, placeholder: BaseImage?, isDeferred: Bool = false) {
    self.init(borrowing: placeholder)
    let isDeferred = isDeferred || descriptor.source.dark != nil
    let reader = Reader(descriptor, isDeferred: isDeferred)
    self.reader = reader
    if !isDeferred { descriptor.loader.begin(reader) }
  }

  /// Creates a carrier, which a view shows in place of the future `origin`. The carrier has the pixels of `image`, and retains the future.
  /// - Parameter onDrop: called on the main actor, in a turn after the carrier has been released.
  convenience init(carrying image: BaseImage?, for origin: FutureImage, onDrop: (@MainActor @Sendable () -> Void)? = nil) {
    self.init(borrowing: image)
    carrierProperties = CarrierProperties(origin: origin, onDrop: onDrop)
  }

  /// The properties that only a carrier has.
  private final class CarrierProperties: Sendable {
    let origin: FutureImage
    let onDrop: (@MainActor @Sendable () -> Void)?

    init(origin: FutureImage, onDrop: (@MainActor @Sendable () -> Void)?) {
      self.origin = origin
      self.onDrop = onDrop
    }
  }

  private convenience init(borrowing image: BaseImage?) {
    // If the image is a future, this code borrows the plain image that the future looks like. A future that is retained as a placeholder
    // would continue its transfer. Also, a cell that uses its current image as the next placeholder would build a chain of futures.
    let borrowed = ((image as? FutureImage)?.still ?? image).map { BorrowedImage.of($0) }
    if let borrowed, let pixels = borrowed.bitmap {
      self.init(cgImage: pixels, scale: borrowed.original.scale, orientation: borrowed.original.imageOrientation)
    } else {
      self.init()
    }
    self.borrowed = borrowed
  }

  deinit {
    // Only a carrier has this closure. The main dispatch queue is the main actor's executor.
    if let onDrop = carrierProperties?.onDrop { Scheduling.onMain { MainActor.assumeIsolated { onDrop() } } }
    guard let reader else { return }
    Scheduling.point()
    let loader = reader.descriptor.loader
    if let dark = reader.knownDark { loader.endFuture(of: dark) }
    loader.endFuture(of: reader)
  }

  /// The image that the future loads, and the settings for it; nil for a future without a source.
  var descriptor: Descriptor? { reader?.descriptor }

  /// The future that this carrier represents in a view; nil if this is not a carrier. A carrier has only the pixels that are available so
  /// far.
  var origin: FutureImage? { carrierProperties?.origin }

  /// This future or, for a carrier, the future that it represents.
  var root: FutureImage { origin ?? self }

  /// The key of the image in caches and messages; empty for a future without a source.
  public var key: String { root.descriptor?.key.text ?? "" }

  /// The URL of the image, in its canonical spelling and without credentials; nil for an image from a closure or in memory, and for a
  /// future without a source.
  public var url: URL? { root.descriptor?.source.url }

  /// The text that describes the image to people who do not see it. A recipe reads it from the model. Without such a recipe, it is nil.
  ///
  /// While an image view, or a button without a title, is bound to the future, this text is its `accessibilityLabel`, unless the app has
  /// already set a label. If a larger view, such as a cell, is a single accessibility element, set the label of that view instead.
  public var alternativeText: String? { root.descriptor?.alternativeText }

  /// Unavailable. Use ``FromURL``, or ``From`` with a recipe. This declaration and the class's attribute let the compiler suggest them for
  /// `@FutureImage var`.
  @available(*, unavailable, message: "Write @FutureImage.FromURL, or @FutureImage.From with a recipe, in place of @FutureImage.")
  public var wrappedValue: FutureImage { self }

  // MARK: As a UIImage

  /// The size that was given in points, as changed by the transform. If no size was given, the size of the placeholder.
  public override var size: CGSize { root.descriptor?.transformedSize ?? borrowed?.original.size ?? super.size }

  /// The frames of the placeholder. For an image that a view shows while the future loads, these are the frames that have loaded so far.
  public override var images: [BaseImage]? { borrowed?.original.images ?? super.images }

  /// The duration of ``images`` in seconds; 0 without frames.
  public override var duration: TimeInterval { borrowed?.original.duration ?? super.duration }

  /// The mode in which the image arrives, if this future was derived by ``withRenderingMode(_:)``; otherwise, the placeholder's mode.
  public override var renderingMode: BaseImage.RenderingMode {
    root.descriptor?.appearance?.renderingMode ?? borrowed?.original.renderingMode ?? super.renderingMode
  }

  /// Returns the image that a view draws and measures for its traits. This is the placeholder's variant for those traits, so an asset has
  /// its dark variant, and a symbol has its tint, point size, weight, scale, and palette. Without a placeholder, this is the future itself.
  ///
  /// If the future's size is known, the variant has that size for views. Symbols and tinted images have their own size, because UIKit
  /// offers no way to draw them in an image of another size.
  public override func withConfiguration(_ configuration: BaseImage.Configuration) -> BaseImage {
    noteDrawing()
    return borrowed?.adapted(to: configuration, size: root.descriptor?.transformedSize) ?? self
  }

  /// The bitmap of the placeholder. Without a placeholder, the bitmap has one transparent pixel, because UIKit raises an exception if one
  /// of a view's `animationImages` has no bitmap.
  public override var cgImage: CGImage? {
    guard root.descriptor != nil else { return super.cgImage }
    noteDrawing()
    return super.cgImage ?? .transparent
  }

  /// Returns another future of the same image, which arrives in that rendering mode. The placeholder of the returned future has the mode,
  /// too. Each call returns the same future as long as it is retained or shown. If the image and its placeholder already have the mode,
  /// returns this future.
  public override func withRenderingMode(_ renderingMode: BaseImage.RenderingMode) -> BaseImage {
    derived(.renderingMode(renderingMode))
  }

  /// Returns a future of the same image, which arrives in that tint. Its placeholder has the tint, too.
  public override func withTintColor(_ color: FutureImage.PlatformColor) -> BaseImage { derived(.tint(color)) }

  /// Returns a future of the same image, which arrives in that tint and rendering mode. Its placeholder has both, too.
  public override func withTintColor(_ color: FutureImage.PlatformColor, renderingMode: BaseImage.RenderingMode) -> BaseImage {
    derived(.tintInMode(color, renderingMode))
  }

  // The methods below return copies of the placeholder, which are not futures.

  /// The placeholder with those insets, in points.
  public override func withAlignmentRectInsets(_ insets: FutureImage.PlatformInsets) -> BaseImage {
    still?.withAlignmentRectInsets(insets) ?? self
  }

  /// The placeholder with a baseline, in points from its bottom.
  public override func withBaselineOffset(fromBottom offset: CGFloat) -> BaseImage { still?.withBaselineOffset(fromBottom: offset) ?? self }

  /// The placeholder without a baseline.
  public override func imageWithoutBaseline() -> BaseImage { still?.imageWithoutBaseline() ?? self }

  /// The placeholder, mirrored where text runs from right to left.
  public override func imageFlippedForRightToLeftLayoutDirection() -> BaseImage {
    still?.imageFlippedForRightToLeftLayoutDirection() ?? self
  }

  /// The placeholder, mirrored.
  public override func withHorizontallyFlippedOrientation() -> BaseImage { still?.withHorizontallyFlippedOrientation() ?? self }

  /// The placeholder in standard dynamic range.
  public override func imageRestrictedToStandardDynamicRange() -> BaseImage { still?.imageRestrictedToStandardDynamicRange() ?? self }

  /// The placeholder, decoded; nil without a placeholder. For the image, which is already decoded, await ``value``.
  public override func preparingForDisplay() -> BaseImage? { still?.preparingForDisplay() }

  /// The placeholder at that size in points; nil without a placeholder. For the image, await ``value(fitting:confirmed:)``.
  public override func preparingThumbnail(of size: CGSize) -> BaseImage? { still?.preparingThumbnail(of: size) }

  /// Calls the handler with the result of ``preparingForDisplay()`` on a thread of UIKit.
  public override func prepareForDisplay(completionHandler: @escaping @Sendable (BaseImage?) -> Void) {
    (still ?? BaseImage()).prepareForDisplay(completionHandler: completionHandler)
  }

  /// Calls the handler with the result of ``preparingThumbnail(of:)`` on a thread of UIKit.
  public override func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (BaseImage?) -> Void) {
    (still ?? BaseImage()).prepareThumbnail(of: size, completionHandler: completionHandler)
  }

  /// Whether the other object is this object.
  public override func isEqual(_ object: Any?) -> Bool { self === object as AnyObject? }

  /// The hash of this object's identity.
  public override var hash: Int { ObjectIdentifier(self).hashValue }

  /// The name of the image, its phase, and its size in pixels. Reading it fetches nothing. Any thread may read it.
  ///
  ///     FutureImage(https://example.com/a.jpg, ready, 1200 × 900 pixels)
  public override var description: String { summary ?? super.description }

  /// The class `UIImage`. An archive of a future has the placeholder's pixels, and reading the archive creates a plain image.
  public override var classForCoder: AnyClass { BaseImage.self }

  /// True, as for every `UIImage`.
  public override class var supportsSecureCoding: Bool { true }

  /// Returns the future of the same image in another appearance. If this future has no source, returns an image in that appearance.
  private func derived(_ change: Appearance.Change) -> BaseImage {
    guard let descriptor = root.descriptor else { return change.applied(to: still ?? BaseImage()) }
    if case .renderingMode(let mode) = change, mode == descriptor.appearance?.renderingMode ?? .automatic, mode == renderingMode {
      return self
    }
    guard let images = root.withReader(\.derivedImages) else { return self }
    return images.image(with: change) {
      let placeholder = root.borrowed.map { $0.derived(by: change) }
      return FutureImage(descriptor.adding(change), placeholder: placeholder, isDeferred: root.isDeferred)
    }
  }

  /// A plain image that looks like this future and is not a future; nil if there is nothing to show.
  fileprivate var still: BaseImage? { borrowed?.original ?? (root.descriptor == nil ? plain : nil) }
}

/// Access to the future's reader, which its loader's lock guards.
extension FutureImage {
  /// Reads or changes the future's reader inside the loader's lock, as ``Reader/withLock(_:)`` does.
  /// - Returns: nil for a future without a source.
  @discardableResult func withReader<Result>(_ body: (Reader) -> Result) -> Result? { reader?.withLock(body) }

  /// Whether the future has not been used yet. A wrapped collection creates such futures, so that counting the collection, or using one
  /// element, does not fetch the other images. Until its first use, a future is not registered with the loader.
  var isDeferred: Bool { withReader { $0.demand == .deferred } ?? false }

  /// Starts the fetch of a deferred future. All members that request the image, or read its phase, first call this method or
  /// ``Reader/start()``.
  func start() { reader?.start() }

  /// Whether there is an image to reload, because this future was used, or because the image is in use elsewhere.
  var isInUse: Bool {
    guard let descriptor, !Source.namesNoImage(key) else { return false }
    return !isDeferred || reader?.knownDark != nil || descriptor.loader.isInUse(descriptor.key)
  }
}

extension Reader {
  /// The future; nil if it has been released, or if nothing has watched the reader yet. A caller inside the lock must return the future
  /// from the lock, so that it is not deallocated there.
  var future: FutureImage? {
    get { Self.future(owner) }
    set { owner = newValue }
  }

  /// Returns the owner of a reader as a future.
  static func future(_ owner: Owner?) -> FutureImage? {
    // Owners are set by the property above only, so each of them is a future.
    owner.map { unsafeDowncast($0, to: FutureImage.self) }
  }
}

extension FutureImage.Placeholder {
  /// Returns the placeholder of a future. An asset or an image of the app is returned unchanged. If the future's size is known, any other
  /// placeholder gets the shape that the future's transform gives to the image.
  func image(for descriptor: Descriptor) -> BaseImage? {
    PlaceholderImages.shared.image(of: self, size: descriptor.size, descriptor.transform?.shape)
  }
}

/// Throws if the image is a future. A future must not be encoded, because its pixels are those of its placeholder.
func requireNoFuture(_ image: BaseImage) throws(FutureImage.Failure) {
  if image is FutureImage { throw FutureImage.Failure(.refused("it is a future; use its value")) }
}
