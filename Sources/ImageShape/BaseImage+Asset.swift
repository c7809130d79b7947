import Foundation

extension BaseImage {
  /// The variants of one image for different traits, such as light and dark.
  // Unchecked, because of `variants`, which is read and written only inside the lock.
  public final class Asset: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var variants: [(traits: Traits, image: BaseImage)] = []

    public override init() {
      super.init()
    }

    /// Adds a variant. For these traits, ``image(with:)`` returns an image that has the variant's pixels and refers to this asset.
    public func register(_ image: BaseImage, with traits: Traits) {
      lock.withLock { variants.append((traits, image)) }
    }

    /// Returns the variant for those traits or, if there is none, the first variant. Returns an empty image if the asset has no variants.
    public func image(with traits: Traits) -> BaseImage {
      variant(for: Configuration(traitCollection: traits)) ?? BaseImage()
    }

    func variant(for configuration: Configuration) -> BaseImage? {
      let style = configuration.traitCollection?.userInterfaceStyle
      let variant = lock.withLock { variants.first { $0.traits.userInterfaceStyle == style } ?? variants.first }
      // Each caller gets its own image, because an image that the asset retained would retain the asset.
      return variant.map { $0.image.belonging(to: self, for: Configuration(traitCollection: $0.traits)) }
    }
  }
}
