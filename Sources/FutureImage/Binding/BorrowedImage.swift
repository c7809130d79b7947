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

  /// Derived images that are still referenced elsewhere.
  private let derivedImages = Lock<[FutureImage.Appearance.Change: WeakImage]>([:])

  private struct WeakImage {
    weak var image: UIImage?
  }

  /// The original in another appearance: one image for all futures that look like it.
  func derived(by change: FutureImage.Appearance.Change) -> UIImage {
    if let known = derivedImages.withLock({ Scheduling.read($0[change]?.image) }) { return known }
    let made = change.applied(to: original)
    // Images and colors may belong to the app, so none is released inside the lock.
    let (image, former, seen) = derivedImages.withLock { images in
      let (former, seen) = (images, images.mapValues { Scheduling.read($0.image) })
      if let known = seen[change] ?? nil { return (known, former, seen) }
      images = images.filter { (seen[$0.key] ?? nil) != nil }
      images[change] = WeakImage(image: made)
      return (made, former, seen)
    }
    withExtendedLifetime((former, seen)) {}
    return image
  }

  private init(_ original: UIImage) {
    self.original = original
    bitmap = original.cgImage.flatMap { $0.copy() }
  }

  deinit {
    let (original, me) = (ObjectIdentifier(original), ObjectIdentifier(self))
    Self.all.withLock { all in
      if all[original]?.id == me { all[original] = nil }
    }
  }
}
