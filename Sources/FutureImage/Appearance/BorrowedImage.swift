/// An image that futures look like, such as a placeholder, together with a copy of its bitmap that only futures use.
///
/// An image view ignores an image that is equal to its current image, and images with the same bitmap are equal. If a future used the
/// bitmap of its placeholder, a view that shows the future would ignore the placeholder when the app sets the placeholder itself. So
/// futures show a copy of the bitmap, which shares its pixels. All futures that look like an image share one copy, because Core Animation
/// uploads each bitmap once.
final class BorrowedImage: Sendable {
  let original: BaseImage
  let bitmap: CGImage?

  private final class Entry {
    weak var borrowed: BorrowedImage?
    /// The identifier of the object that `borrowed` references. In the `deinit` of that object, the weak reference is already nil, so
    /// `deinit` compares this identifier.
    let id: ObjectIdentifier

    init(_ borrowed: BorrowedImage) {
      self.borrowed = borrowed
      id = ObjectIdentifier(borrowed)
    }
  }

  /// The entries, by the identifier of the original. Each borrowed image retains its original, and removes its entry in `deinit`. So the
  /// identifier of an entry is never that of another image.
  private static let all = Lock<[ObjectIdentifier: Entry]>([:])

  /// Returns the instance for the image. All futures that look like the image share it.
  static func of(_ image: BaseImage) -> BorrowedImage {
    let id = ObjectIdentifier(image)
    if let known = all.withLock({ Scheduling.read($0[id]?.borrowed) }) { return known }
    let made = BorrowedImage(image)
    // The instance is released outside the lock, because its deinitializer acquires the lock.
    defer { withExtendedLifetime(made) {} }
    return all.withLock { all in
      // Another thread may have made an instance meanwhile.
      if let known = Scheduling.read(all[id]?.borrowed) { return known }
      all[id] = Entry(made)
      return made
    }
  }

  private let derivedImages = DerivedImages()

  /// Returns the original in another appearance. All futures with that appearance share the returned image.
  func derived(by change: FutureImage.Appearance.Change) -> BaseImage {
    derivedImages.image(with: change) { change.applied(to: original) }
  }

  /// Returns the image that a view with that configuration draws instead of the original; nil if the copy of the original's bitmap looks
  /// the same.
  /// - Parameter size: the size in points that the image has for views; nil for the size of the original.
  func adapted(to configuration: BaseImage.Configuration, size: CGSize?) -> BaseImage? {
    // A view merges a symbol's configuration into its own configuration only if the view's image is a symbol, which a future is not.
    // Without the merge here, the symbol would lose its point size, weight, scale, and palette.
    let variant = original.withConfiguration(original.configuration?.applying(configuration) ?? configuration)
    guard let size, !(original is DecodedImage) else { return variant }
    if isBareBitmap { return nil }
    // In three cases, the variant keeps its own size. If the original has no asset, it may have a tint, which an image of another size
    // would lack. If the original is a symbol, its drawing cannot be copied. If the variant has no bitmap, there is nothing to copy.
    guard original.imageAsset != nil, !original.isSymbolImage, let bitmap = variant.cgImage else { return variant }
    let sized = DecodedImage(bitmap, like: variant, DecodedImage.Details(of: variant, points: size))
    return variant.renderingMode == .automatic ? sized : sized.withRenderingMode(variant.renderingMode)
  }

  /// Whether the original consists only of a bitmap, a scale, an orientation, and a rendering mode.
  private var isBareBitmap: Bool {
    guard let bitmap = original.cgImage else { return false }
    let bare = BaseImage(cgImage: bitmap, scale: original.scale, orientation: original.imageOrientation)
    let mode = original.renderingMode
    return original.isEqual(mode == .automatic ? bare : bare.withRenderingMode(mode))
  }

  private init(_ original: BaseImage) {
    self.original = original
    bitmap = original.cgImage.flatMap(\.another)
  }

  deinit {
    let (originalID, ownID) = (ObjectIdentifier(original), ObjectIdentifier(self))
    Self.all.withLock { all in
      if all[originalID]?.id == ownID { all[originalID] = nil }
    }
  }
}
