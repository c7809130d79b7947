/// The image that a future loads, and the settings for it. Set when the future is created, and never changed.
final class Descriptor: Sendable {
  let source: FutureImage.Source
  let loader: FutureImage.Loader
  private let options: Options

  /// The settings of a future. Nearly all futures of an app have the defaults, and share one object.
  private final class Options: Sendable {
    let policy: FutureImage.CachePolicy
    let size: CGSize?
    let transformedSize: CGSize?
    let transform: FutureImage.Transform?
    let priority: FutureImage.Priority
    let appearance: FutureImage.Appearance?
    let alternativeText: String?
    let isDark: Bool

    static let standard = Options(policy: .automatic, size: nil, transform: nil, priority: .normal)

    init(
      policy: FutureImage.CachePolicy, size: CGSize?, transform: FutureImage.Transform?, priority: FutureImage.Priority,
      alternativeText: String? = nil, appearance: FutureImage.Appearance? = nil, isDark: Bool = false
    ) {
      self.isDark = isDark
      self.appearance = appearance
      self.alternativeText = alternativeText
      self.policy = policy
      self.size = size
      transformedSize = size.map { transform?.size(of: $0) ?? $0 }
      self.transform = transform
      self.priority = priority
    }
  }

  init(
    source: FutureImage.Source, policy: FutureImage.CachePolicy, size: CGSize?, transform: FutureImage.Transform?,
    priority: FutureImage.Priority, alternativeText: String? = nil, loader: FutureImage.Loader
  ) {
    self.source = source
    self.loader = loader
    let isUsual = policy.isAutomatic && size == nil && transform == nil && priority == .normal && alternativeText == nil
    options =
      isUsual
      ? .standard
      : Options(policy: policy, size: size, transform: transform, priority: priority, alternativeText: alternativeText)
  }

  private init(source: FutureImage.Source, loader: FutureImage.Loader, options: Options) {
    self.source = source
    self.loader = loader
    self.options = options
  }

  /// Returns a copy for a future that delivers the same image with one more change of its appearance.
  func adding(_ change: FutureImage.Appearance.Change) -> Descriptor {
    let appearance = FutureImage.Appearance(changes: (appearance?.changes ?? []) + [change])
    let options = Options(
      policy: policy, size: size, transform: transform, priority: priority, alternativeText: alternativeText, appearance: appearance,
      isDark: isDark)
    return Descriptor(source: source, loader: loader, options: options)
  }

  /// A copy for the image that views show in dark mode; nil if the source names no such image.
  var dark: Descriptor? {
    source.dark.map { besideAnother(from: $0, isDark: true) }
  }

  /// Returns a copy for another image, which is shown in place of this one.
  func besideAnother(from source: FutureImage.Source, isDark: Bool) -> Descriptor {
    let options = Options(
      policy: policy.besideAnother, size: size, transform: transform, priority: priority, alternativeText: alternativeText,
      appearance: appearance, isDark: isDark)
    return Descriptor(source: source, loader: loader, options: options)
  }

  /// Whether views may show another image in place of this one, or this one in place of another.
  var hasVariants: Bool { options.isDark || source.dark != nil }
  /// Whether this describes a future's image for dark mode.
  var isDark: Bool { options.isDark }

  /// The appearance in which the future delivers the image; nil for the image's own appearance.
  var appearance: FutureImage.Appearance? { options.appearance }
  /// The text that describes the image to people who do not see it.
  var alternativeText: String? { options.alternativeText }
  var policy: FutureImage.CachePolicy { options.policy }
  /// The image's size in points before its transform, if the app knows it.
  var size: CGSize? { options.size }
  /// The image's size in points after its transform, if the app knows it.
  var transformedSize: CGSize? { options.transformedSize }
  var transform: FutureImage.Transform? { options.transform }
  var priority: FutureImage.Priority { options.priority }

  var key: SourceKey { source.id }

  func variant(_ generation: UInt32) -> PixelPool.Variant {
    PixelPool.Variant(source: key, size: size, transform: transform, revision: generation)
  }

  /// The disk tier from which the future reads its image, and which stores the image; nil if its policy has no disk tier.
  var disk: (any FutureImage.DiskTier)? {
    // A sized source has no bytes to store, and makes its pixels again when they are needed.
    if source.sizedSource != nil { return nil }
    return switch policy.disk {
    case .none: nil
    case .loader: loader.configuration.diskCache
    case .tier(let tier): tier
    }
  }
}
