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

  /// The derived images that still exist, and the number of changes of the list.
  private let derivedImages = Lock<(turn: Int, list: [Derived])>((0, []))

  private struct Derived {
    let change: FutureImage.Appearance.Change
    weak var image: UIImage?
  }

  /// Returns the original in another appearance: one image for all futures with that appearance.
  func derived(by change: FutureImage.Appearance.Change) -> UIImage {
    while true {
      let (turn, list) = derivedImages.withLock { $0 }
      // Images and colors may belong to the app, so they are compared and released outside the lock.
      let living = list.compactMap { entry in Scheduling.read(entry.image).map { (entry: entry, image: $0) } }
      if let known = living.first(where: { $0.entry.change == change }) { return known.image }
      let image = change.applied(to: original)
      let entries = living.map(\.entry) + [Derived(change: change, image: image)]
      let former = derivedImages.withLock { state -> [Derived]? in
        // Another thread has derived an image in the meantime, perhaps the same.
        guard state.turn == turn else { return nil }
        defer { state = (turn + 1, entries) }
        return state.list
      }
      if former != nil { return image }
    }
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
