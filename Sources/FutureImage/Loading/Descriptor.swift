/// The image that a future loads, and the settings for it. Set when the future is created, and never changed.
final class Descriptor: Sendable {
  let source: FutureImage.Source
  let loader: FutureImage.Loader
  private let options: Options

  /// The settings of a future.
  struct Settings: Sendable {
    var policy = FutureImage.CachePolicy.automatic
    /// The image's size in points before its transform, if the app knows it.
    var size: CGSize?
    var transform: FutureImage.Transform?
    var priority = FutureImage.Priority.normal
    /// The text that describes the image to people who do not see it.
    var alternativeText: String?
    /// The appearance in which the future delivers the image; nil for the image's own appearance.
    fileprivate(set) var appearance: FutureImage.Appearance?
    /// Whether this describes a future's image for dark mode.
    fileprivate(set) var isDark = false

    fileprivate var areDefaults: Bool {
      policy.isAutomatic && size == nil && transform == nil && priority == .normal && alternativeText == nil && appearance == nil && !isDark
    }
  }

  /// The settings as an object. Nearly all futures of an app have the defaults, and share one object.
  private final class Options: Sendable {
    let settings: Settings
    let transformedSize: CGSize?

    static let standard = Options(Settings())

    init(_ settings: Settings) {
      self.settings = settings
      transformedSize = settings.size.map { settings.transform?.size(of: $0) ?? $0 }
    }
  }

  init(source: FutureImage.Source, _ settings: Settings = Settings(), loader: FutureImage.Loader) {
    self.source = source
    self.loader = loader
    options = settings.areDefaults ? .standard : Options(settings)
  }

  /// Returns a copy for a future that delivers the same image with one more change of its appearance.
  func adding(_ change: FutureImage.Appearance.Change) -> Descriptor {
    var settings = options.settings
    settings.appearance = FutureImage.Appearance(changes: (appearance?.changes ?? []) + [change])
    return Descriptor(source: source, settings, loader: loader)
  }

  /// A copy for the image that views show in dark mode; nil if the source names no such image.
  var dark: Descriptor? {
    source.dark.map { besideAnother(from: $0, isDark: true) }
  }

  /// Returns a copy for another image, which is shown in place of this one.
  func besideAnother(from source: FutureImage.Source, isDark: Bool) -> Descriptor {
    var settings = options.settings
    settings.policy = policy.besideAnother
    settings.isDark = isDark
    return Descriptor(source: source, settings, loader: loader)
  }

  /// Whether views may show another image in place of this one, or this one in place of another.
  var hasVariants: Bool { isDark || source.dark != nil }
  var isDark: Bool { options.settings.isDark }
  var appearance: FutureImage.Appearance? { options.settings.appearance }
  var alternativeText: String? { options.settings.alternativeText }
  var policy: FutureImage.CachePolicy { options.settings.policy }
  var size: CGSize? { options.settings.size }
  /// The image's size in points after its transform, if the app knows it.
  var transformedSize: CGSize? { options.transformedSize }
  var transform: FutureImage.Transform? { options.settings.transform }
  var priority: FutureImage.Priority { options.settings.priority }

  var key: SourceKey { source.id }

  func variant(_ generation: UInt32) -> PixelPool.Variant {
    PixelPool.Variant(source: key, size: size, transform: transform, generation: generation)
  }

  /// The disk tier from which the future reads its image, and which stores the image; nil if its policy has no disk tier, or if
  /// its source needs no copy in that tier.
  var disk: (any FutureImage.DiskTier)? {
    // A sized source has no bytes to store, and makes its pixels again when they are needed.
    if source.sizedSource != nil { return nil }
    return switch policy.disk {
    case .none: nil
    // A file is on the disk already, and a copy of it could be out of date.
    case .loader: source.isFile ? nil : loader.configuration.diskCache
    case .tier(let tier): tier
    }
  }
}
