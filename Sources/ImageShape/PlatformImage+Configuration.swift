import Foundation

extension PlatformImage {
  /// The traits that an image is made for. Configurations with equal traits are equal.
  // Unchecked, because the class is open: its one property is a constant.
  open class Configuration: NSObject, @unchecked Sendable {
    public let traitCollection: ImageTraits?

    public init(traitCollection: ImageTraits?) {
      self.traitCollection = traitCollection
      super.init()
    }

    open override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? Configuration else { return false }
      return self === other || traitCollection == other.traitCollection
    }

    open override var hash: Int { traitCollection?.hash ?? 0 }

    /// The configuration of an image that specifies only its scale. A view's traits specify more, so they never equal it.
    static func display(scale: CGFloat) -> Configuration {
      scale == 1 ? ofScale1 : Configuration(traitCollection: ImageTraits(displayScale: scale))
    }

    private static let ofScale1 = Configuration(traitCollection: ImageTraits(displayScale: 1))
  }
}
