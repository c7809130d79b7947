/// What a future is to load, and how: decided when it is made, never changed.
final class Descriptor: Sendable {
  let source: FutureImage.Source
  let loader: FutureImage.Loader
  private let manner: Manner

  /// What nearly all futures of an app leave as it is, and those share.
  private final class Manner: Sendable {
    let policy: FutureImage.CachePolicy
    let size: CGSize?
    let transformedSize: CGSize?
    let transform: FutureImage.Transform?
    let priority: FutureImage.Priority
    let appearance: FutureImage.Appearance?
    let alternativeText: String?
    let isDark: Bool

    static let usual = Manner(policy: .automatic, size: nil, transform: nil, priority: .normal)

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
    manner =
      isUsual
      ? .usual
      : Manner(policy: policy, size: size, transform: transform, priority: priority, alternativeText: alternativeText)
  }

  private init(_ source: FutureImage.Source, _ loader: FutureImage.Loader, _ manner: Manner) {
    self.source = source
    self.loader = loader
    self.manner = manner
  }

  /// The same, for a future that hands out its picture with one more change.
  func adding(_ change: FutureImage.Appearance.Change) -> Descriptor {
    let appearance = FutureImage.Appearance(changes: (appearance?.changes ?? []) + [change])
    let manner = Manner(
      policy: policy, size: size, transform: transform, priority: priority, alternativeText: alternativeText, appearance: appearance,
      isDark: isDark)
    return Descriptor(source, loader, manner)
  }

  /// The same for the picture that views in dark mode show; nil if the source names none.
  var dark: Descriptor? {
    guard let dark = source.dark else { return nil }
    let manner = Manner(
      policy: policy.besideAnother, size: size, transform: transform, priority: priority, alternativeText: alternativeText,
      appearance: appearance, isDark: true)
    return Descriptor(dark, loader, manner)
  }

  /// Whether views may show another picture in place of this one, or show this one in place of another.
  var hasVariants: Bool { manner.isDark || source.dark != nil }
  /// Whether it is the one for dark mode of another future.
  var isDark: Bool { manner.isDark }

  /// The appearance of what the future hands out; nil for the picture's own.
  var appearance: FutureImage.Appearance? { manner.appearance }
  /// The picture in words, for people who do not see it.
  var alternativeText: String? { manner.alternativeText }
  var policy: FutureImage.CachePolicy { manner.policy }
  /// The picture's size in points before its transform, if the app knows it.
  var size: CGSize? { manner.size }
  /// The same after its transform.
  var transformedSize: CGSize? { manner.transformedSize }
  var transform: FutureImage.Transform? { manner.transform }
  var priority: FutureImage.Priority { manner.priority }

  var key: SourceKey { source.id }

  func variant(_ revision: UInt32, isSubstitute: Bool = false) -> PixelPool.Variant {
    PixelPool.Variant(
      source: key, size: size, transform: transform, revision: revision, substitute: isSubstitute ? source.smaller?.id : nil)
  }

  var disk: (any FutureImage.DiskTier)? {
    // It gives no bytes, and makes its pixels anew.
    if source.sizedSource != nil { return nil }
    return switch policy.disk {
    case .none: nil
    case .loader: loader.configuration.diskCache
    case .tier(let tier): tier
    }
  }
}

/// A picture's bytes, and what their header says.
struct Encoded: Sendable {
  let data: Data
  let size: FutureImage.PixelSize
  /// Whether a disk tier had them: then a fault in them may be the disk's, not the server's.
  var isFromDisk: Bool
  /// Which of the pictures they are that replaced each other under the key: known when the loader answers.
  var revision: UInt32 = 0
  /// Else the futures keep them.
  var isStored = true
  /// Of the smaller picture that stands for the source on some networks.
  var isSubstitute = false
  /// Counts them while futures hold them; nil for bytes that no source could give again.
  var share: HeldBytes.Share?
  /// Makes the pixels, in place of the bytes.
  var sized: SizedSource?
}

extension Encoded {
  /// A picture without bytes, whose source makes pixels.
  init(_ source: SizedSource, size: FutureImage.PixelSize) {
    self.init(data: Data(), size: size, isFromDisk: false, sized: source)
  }
}
