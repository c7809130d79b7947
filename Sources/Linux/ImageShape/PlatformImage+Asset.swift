import Foundation

extension PlatformImage {
  /// The variants of one image for different traits, such as light and dark.
  // Unchecked, because of `variants`: it is read and written under the lock only.
  public final class Asset: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var variants: [(traits: ImageTraits, image: PlatformImage)] = []

    public override init() {
      super.init()
    }

    /// Adds a variant. The image that ``image(with:)`` returns for these traits has its pixels and refers to this asset.
    public func register(_ image: PlatformImage, with traits: ImageTraits) {
      lock.withLock { variants.append((traits, image)) }
    }

    /// Returns the variant for those traits, otherwise the first one; an empty image without variants.
    public func image(with traits: ImageTraits) -> PlatformImage {
      variant(for: Configuration(traitCollection: traits)) ?? PlatformImage()
    }

    func variant(for configuration: Configuration) -> PlatformImage? {
      let style = configuration.traitCollection?.userInterfaceStyle
      let variant = lock.withLock { variants.first { $0.traits.userInterfaceStyle == style } ?? variants.first }
      // Made for each caller: an image that the asset retained would retain the asset.
      return variant.map { $0.image.belonging(to: self, for: Configuration(traitCollection: $0.traits)) }
    }
  }
}
