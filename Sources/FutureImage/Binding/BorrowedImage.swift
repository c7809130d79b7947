/// An image whose appearance futures take on, with a bitmap that only futures use.
///
/// An image view ignores an image that is equal to its current one, and images with the same bitmap are equal: a placeholder that replaces
/// a future showing it would be ignored. So futures show a copy of the bitmap, which shares its pixels. All futures that look like an image
/// share one copy, because Core Animation uploads each bitmap once.
final class BorrowedImage: Sendable {
  let original: UIImage
  let bitmap: CGImage?

  private final class Entry {
    weak var borrowed: BorrowedImage?
    /// Identifies the entry's owner in `deinit`, when the weak reference is already nil.
    let id: ObjectIdentifier

    init(_ borrowed: BorrowedImage) {
      self.borrowed = borrowed
      id = ObjectIdentifier(borrowed)
    }
  }

  /// Keyed by the original. An entry is removed with its object, which retains the original, so no other image can have its identifier.
  private static let all = Lock<[ObjectIdentifier: Entry]>([:])

  /// Returns the instance for the image, shared as long as any future looks like it.
  static func of(_ image: UIImage) -> BorrowedImage {
    let id = ObjectIdentifier(image)
    if let known = all.withLock({ Scheduling.read($0[id]?.borrowed) }) { return known }
    let made = BorrowedImage(image)
    // Its deinitializer takes the lock.
    defer { withExtendedLifetime(made) {} }
    return all.withLock { all in
      // Another thread may have made one meanwhile.
      if let known = Scheduling.read(all[id]?.borrowed) { return known }
      all[id] = Entry(made)
      return made
    }
  }

  private let derivedImages = DerivedImages()

  /// Returns the original in another appearance: one image for all futures with that appearance.
  func derived(by change: FutureImage.Appearance.Change) -> UIImage {
    derivedImages.image(with: change) { change.applied(to: original) }
  }

  /// Returns the image that a view with that configuration draws instead of the original; nil if a copy of the bitmap looks the same.
  /// - Parameter size: the size in points that the image has for views; nil for the original's own.
  func adapted(to configuration: UIImage.Configuration, size: CGSize?) -> UIImage? {
    // A view merges a symbol's configuration into its own, but only if the image that it was given is a symbol. Without that, the symbol
    // would lose its point size, weight, scale, and palette.
    let variant = original.withConfiguration(original.configuration?.applying(configuration) ?? configuration)
    guard let size, !(original is DecodedImage) else { return variant }
    if isBareBitmap { return nil }
    // The tint of other images, a symbol's drawing, and an image without a bitmap cannot be copied into an image of another size.
    guard original.imageAsset != nil, !original.isSymbolImage, let bitmap = variant.cgImage else { return variant }
    let sized = DecodedImage(bitmap, like: variant, DecodedImage.Details(of: variant, points: size))
    return variant.renderingMode == .automatic ? sized : sized.withRenderingMode(variant.renderingMode)
  }

  /// Whether bitmap, scale, orientation, and rendering mode are all that the original consists of.
  private var isBareBitmap: Bool {
    guard let bitmap = original.cgImage else { return false }
    let bare = UIImage(cgImage: bitmap, scale: original.scale, orientation: original.imageOrientation)
    let mode = original.renderingMode
    return original.isEqual(mode == .automatic ? bare : bare.withRenderingMode(mode))
  }

  private init(_ original: UIImage) {
    self.original = original
    bitmap = original.cgImage.flatMap(\.another)
  }

  deinit {
    let (original, me) = (ObjectIdentifier(original), ObjectIdentifier(self))
    Self.all.withLock { all in
      if all[original]?.id == me { all[original] = nil }
    }
  }
}
