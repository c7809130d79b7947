import Foundation

extension PlatformImage {
  private struct Key: Hashable {
    let image: ObjectIdentifier
    let mode: RenderingMode
  }

  private final class Sibling {
    weak var image: PlatformImage?
    /// The original, to check that the identifier is still its own.
    weak var original: PlatformImage?
  }

  // Unsafe only to the compiler: read and written under the lock.
  private nonisolated(unsafe) static var siblings: [Key: Sibling] = [:]
  private static let lock = NSLock()

  /// Returns the copy in that mode: the same one for all callers as long as it lives, as in UIKit.
  func sibling(_ mode: RenderingMode, _ make: () -> PlatformImage) -> PlatformImage {
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
      if Self.siblings.count > 256 { Self.siblings = Self.siblings.filter { $0.value.image != nil } }
      if let known = Self.siblings[key], known.original === self, let image = known.image { return image }
      Self.siblings[key] = sibling
      return made
    }
  }
}
