import Foundation

extension BaseImage {
  private struct Key: Hashable {
    let image: ObjectIdentifier
    let mode: RenderingMode
  }

  private final class Sibling {
    weak var image: BaseImage?
    /// The original image. A lookup compares it, because the identifier of an image that was released may belong to another image.
    weak var original: BaseImage?
  }

  // The compiler cannot prove that this is safe. It is safe because the table is read and written only inside the lock.
  private nonisolated(unsafe) static var siblings: [Key: Sibling] = [:]
  private static let lock = NSLock()

  /// Returns a copy in that mode. As in UIKit, all callers get the same copy as long as it exists.
  func sibling(_ mode: RenderingMode, _ make: () -> BaseImage) -> BaseImage {
    let key = Key(image: ObjectIdentifier(self), mode: mode)
    let known = Self.lock.withLock {
      Self.siblings[key].flatMap { sibling in sibling.original === self ? sibling.image : nil }
    }
    if let known { return known }
    let made = make()
    let sibling = Sibling()
    sibling.image = made
    sibling.original = self
    return Self.lock.withLock {
      // Entries whose copy was released are removed only when the table is large.
      if Self.siblings.count > 256 { Self.siblings = Self.siblings.filter { $0.value.image != nil } }
      if let known = Self.siblings[key], known.original === self, let image = known.image { return image }
      Self.siblings[key] = sibling
      return made
    }
  }
}
