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
    let looks: [FutureImage.Look]

    static let usual = Manner(.automatic, nil, nil, .normal)

    init(
      _ policy: FutureImage.CachePolicy, _ size: CGSize?, _ transform: FutureImage.Transform?, _ priority: FutureImage.Priority,
      looks: [FutureImage.Look] = []
    ) {
      self.looks = looks
      self.policy = policy
      self.size = size
      transformedSize = size.map { transform?.size(of: $0) ?? $0 }
      self.transform = transform
      self.priority = priority
    }
  }

  /// - Parameter policy: `.automatic` if nil.
  init(
    source: FutureImage.Source, policy: FutureImage.CachePolicy?, size: CGSize?, transform: FutureImage.Transform?,
    priority: FutureImage.Priority, loader: FutureImage.Loader
  ) {
    self.source = source
    self.loader = loader
    let isUsual = policy == nil && size == nil && transform == nil && priority == .normal
    manner = isUsual ? .usual : Manner(policy ?? .automatic, size, transform, priority)
  }

  private init(_ source: FutureImage.Source, _ loader: FutureImage.Loader, _ manner: Manner) {
    self.source = source
    self.loader = loader
    self.manner = manner
  }

  /// The same, for a future that changes the looks of what it hands out once more.
  func adding(_ look: FutureImage.Look) -> Descriptor {
    Descriptor(source, loader, Manner(policy, size, transform, priority, looks: looks + [look]))
  }

  /// Changes to each picture that the future hands out, in order.
  var looks: [FutureImage.Look] { manner.looks }
  var policy: FutureImage.CachePolicy { manner.policy }
  /// The picture's size in points before its transform, if the app knows it.
  var size: CGSize? { manner.size }
  /// The same after its transform.
  var transformedSize: CGSize? { manner.transformedSize }
  var transform: FutureImage.Transform? { manner.transform }
  var priority: FutureImage.Priority { manner.priority }

  var key: SourceKey { source.id }

  func variant(_ revision: UInt32, isSubstitute: Bool = false) -> PixelPool.Variant {
    PixelPool.Variant(source: key, size: size, transform: transform, revision: revision, isSubstitute: isSubstitute)
  }

  var disk: (any FutureImage.DiskTier)? {
    switch policy.disk {
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
}
