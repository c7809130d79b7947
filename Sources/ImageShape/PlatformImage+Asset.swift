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

    /// Adds a variant. What ``image(with:)`` hands out for these traits has the image's pixels and knows this asset.
    public func register(_ image: PlatformImage, with traits: ImageTraits) {
      lock.withLock { variants.append((traits, image)) }
    }

    /// The variant for those traits, else the first one; an empty image without any.
    public func image(with traits: ImageTraits) -> PlatformImage {
      variant(for: Configuration(traitCollection: traits)) ?? PlatformImage()
    }

    func variant(for configuration: Configuration) -> PlatformImage? {
      let style = configuration.traitCollection?.userInterfaceStyle
      let variant = lock.withLock { variants.first { $0.traits.userInterfaceStyle == style } ?? variants.first }
      // Made for each asker: one that the asset held would hold the asset.
      return variant.map { $0.image.belonging(to: self, for: Configuration(traitCollection: $0.traits)) }
    }
  }
}
