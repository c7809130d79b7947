extension FutureImage {
  /// The caches that store an image beyond the life of its models.
  ///
  ///     FutureImage(at: url)                                                        // .automatic: the loader's pool and disk cache
  ///     FutureImage(at: url, cachePolicy: .using(cache: thumbnails, key: item.id))  // an NSCache of the app's
  ///     FutureImage(at: url, cachePolicy: .toDisk(path: "avatars/\(user.id).jpg"))  // a file under the caches directory
  ///     FutureImage(at: url, cachePolicy: .modelOnly)                               // nothing
  ///
  /// A future looks in its own tiers before it fetches, and stores its image in them when it has arrived. Without a disk tier, the encoded
  /// bytes stay in memory, shared by all futures of the image.
  public struct CachePolicy: Sendable {
    enum Disk: Sendable {
      case none
      /// The loader's ``DiskCache``.
      case loader
      case tier(any DiskTier)
    }

    var memory: (any MemoryTier)?
    var disk: Disk
    /// Whether decoded pixels may stay in the loader's pool after the last future of the image is gone.
    var outlivesModel = true
    /// Whether images that the caches lack are fetched from the source.
    var asksSource = true
    /// Whether an image stays that its source has deleted.
    var retainsDeleted = false

    /// The same caches, but never the source, whether it is a URL, a file, or a closure.
    ///
    ///     FutureImage(at: url, cachePolicy: .automatic.onlyFromCache)
    ///
    /// An image that no cache has fails with ``FutureImage/FutureImage/Failure/Reason/notCached``. So does an image that must be
    /// revalidated first; an image that is merely stale is shown. Binding the future, awaiting it, and ``FutureImage/FutureImage/reload()``
    /// look in the caches again. If another future fetches the image meanwhile, this one gets it, too.
    public var onlyFromCache: CachePolicy {
      var policy = self
      policy.asksSource = false
      return policy
    }

    /// The same caches, which keep an image even if its source has deleted it.
    ///
    ///     FutureImage(at: url, cachePolicy: .automatic.retainingDeleted)
    ///
    /// Otherwise, a status of 404 or 410 that answers a revalidation or a reload removes the image from all caches: new futures do not show
    /// it, and views that show it keep it until they are bound again.
    public var retainingDeleted: CachePolicy {
      var policy = self
      policy.retainsDeleted = true
      return policy
    }

    /// The loader's pool and its disk cache.
    public static let automatic = CachePolicy(memory: nil, disk: .loader)

    /// Whether it is ``automatic``, as it is for nearly all futures.
    var isAutomatic: Bool {
      guard case .loader = disk else { return false }
      return memory == nil && outlivesModel && asksSource && !retainsDeleted
    }

    /// Unavailable. Use ``modelOnly``, which stores nothing. This declaration lets the compiler suggest it.
    @available(*, unavailable, renamed: "modelOnly")
    public static var none: CachePolicy { modelOnly }

    /// No caches beyond the model: the futures of an image share its encoded bytes, which are released with its pixels and the last future.
    public static let modelOnly = CachePolicy(memory: nil, disk: .none, outlivesModel: false)

    /// Stores the body as received, byte for byte, in a file that the app chooses. An existing file is trusted; `reload()` fetches the
    /// image again.
    public static func toDisk(path: URL) -> CachePolicy {
      CachePolicy(memory: nil, disk: .tier(FileTier(path)))
    }

    /// Stores the body in a file under the caches directory. A path that leads out of it stores nothing and is reported as a fault.
    public static func toDisk(path: String) -> CachePolicy {
      CachePolicy(memory: nil, disk: .tier(FileTier(cachesPath: path)))
    }

    /// Stores the largest decoded image so far in an `NSCache` of the app's, which is held weakly.
    ///
    /// An image that the app puts there itself counts as the full image, with its own size in points: a future with a transform or with
    /// another `size` does not show it. Futures with different transforms need different keys, or they replace each other's images.
    public static func using(cache: NSCache<NSString, UIImage>, key: String) -> CachePolicy {
      CachePolicy(memory: NSCacheTier(cache, key: key), disk: .none)
    }

    /// Creates a policy with an `NSCache` and a file, each if given.
    public init(memCache: (cache: NSCache<NSString, UIImage>, key: String)? = nil, diskPath: URL? = nil) {
      memory = memCache.map { NSCacheTier($0.cache, key: $0.key) }
      disk = diskPath.map { .tier(FileTier($0)) } ?? .none
    }

    /// Stores images in the app's own tiers, under the source's key.
    public static func tiers(memory: (any MemoryTier)? = nil, disk: (any DiskTier)? = nil) -> CachePolicy {
      CachePolicy(memory: memory, disk: disk.map { .tier($0) } ?? .none)
    }

    /// The same policy without the tiers whose key or path the app chose for another image.
    var besideAnother: CachePolicy {
      var policy = self
      if policy.memory is NSCacheTier { policy.memory = nil }
      if case .tier(let tier) = disk, tier is FileTier { policy.disk = .none }
      return policy
    }

    private init(memory: (any MemoryTier)?, disk: Disk, outlivesModel: Bool = true) {
      self.memory = memory
      self.disk = disk
      self.outlivesModel = outlivesModel
    }
  }
}
