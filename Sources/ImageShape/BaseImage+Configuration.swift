import Foundation

extension BaseImage {
  /// The traits for which an image is made and, if it is a symbol, the way in which it is drawn. Configurations with equal parts are equal.
  // Unchecked, because the class is open. It is safe because its properties are constants.
  open class Configuration: NSObject, @unchecked Sendable {
    public let traitCollection: Traits?
    /// The point size, weight, scale, and palette of a symbol, as one opaque value; nil if none of them is specified. UIKit has them in
    /// `UIImage.SymbolConfiguration`.
    package let symbol: String?

    public convenience init(traitCollection: Traits?) {
      self.init(traitCollection: traitCollection, symbol: nil)
    }

    package init(traitCollection: Traits?, symbol: String?) {
      self.traitCollection = traitCollection
      self.symbol = symbol
      super.init()
    }

    /// Returns a copy of this configuration with the values that the other configuration specifies. All other values stay unchanged.
    open func applying(_ other: Configuration?) -> Configuration {
      guard let other else { return self }
      let traits = other.traitCollection.map { traitCollection?.replacing(with: $0) ?? $0 } ?? traitCollection
      return Configuration(traitCollection: traits, symbol: other.symbol ?? symbol)
    }

    open override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? Configuration else { return false }
      return self === other || traitCollection == other.traitCollection && symbol == other.symbol
    }

    open override var hash: Int { traitCollection?.hash ?? 0 }

    /// Returns a configuration that specifies only a scale. This configuration never equals the configuration of a view, which also
    /// specifies other traits.
    static func display(scale: CGFloat) -> Configuration {
      scale == 1 ? ofScale1 : Configuration(traitCollection: Traits(displayScale: scale))
    }

    private static let ofScale1 = Configuration(traitCollection: Traits(displayScale: 1))
  }
}
