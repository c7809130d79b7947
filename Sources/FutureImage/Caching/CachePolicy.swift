extension FutureImage {
  /// What lasts of a picture beyond its models.
  ///
  ///     FutureImage(at: url)                                                        // .automatic: the loader's pool and disk cache
  ///     FutureImage(at: url, cachePolicy: .using(cache: thumbnails, key: item.id))  // an NSCache of the app's
  ///     FutureImage(at: url, cachePolicy: .toDisk(path: "avatars/\(user.id).jpg"))  // a file under the caches directory
  ///     FutureImage(at: url, cachePolicy: .modelOnly)                               // nothing
  ///
  /// A future's own tiers are asked before anything is fetched, and filled when its picture came. Where there is no disk tier, the future
  /// keeps the encoded bytes itself.
  public struct CachePolicy: Sendable {
    enum Disk: Sendable {
      case none
      /// The loader's ``DiskCache``.
      case loader
      case tier(any DiskTier)
    }

    var memory: (any MemoryTier)?
    var disk: Disk
    /// Whether decoded pixels may stay in the loader's pool when the last future of the picture is gone.
    var outlivesModel = true
    /// Whether the source is asked for what the caches do not have.
    var asksSource = true

    /// The same caches, and nothing else: the source is never asked, whether it is a URL, a file or a closure.
    ///
    ///     FutureImage(at: url, cachePolicy: .automatic.onlyFromCache)
    ///
    /// A picture that no cache has fails with ``FutureImage/FutureImage/Failure/Reason/notCached``. So does one that the server requires to
    /// be confirmed first; one that is merely stale is shown. Binding the future, awaiting it and ``FutureImage/FutureImage/reload()`` look
    /// in the caches again. If another future fetches the picture meanwhile, this one gets it, too.
    public var onlyFromCache: CachePolicy {
      var policy = self
      policy.asksSource = false
      return policy
    }

    /// The loader's pool and its disk cache.
    public static let automatic = CachePolicy(memory: nil, disk: .loader)

    /// Whether it is ``automatic``, which nearly all futures have.
    var isAutomatic: Bool {
      guard case .loader = disk else { return false }
      return memory == nil && outlivesModel && asksSource
    }

    /// No policy. ``modelOnly`` is the one that stores nothing; this declaration lets the compiler name it.
    @available(*, unavailable, renamed: "modelOnly")
    public static var none: CachePolicy { modelOnly }

    /// Nothing beyond the model: the future keeps the encoded bytes, and its pixels go with the last future of the picture.
    public static let modelOnly = CachePolicy(memory: nil, disk: .none, outlivesModel: false)

    /// The body as it came, byte for byte, in a file of the app's choosing. What is there is trusted; `reload()` fetches it anew.
    public static func toDisk(path: URL) -> CachePolicy {
      CachePolicy(memory: nil, disk: .tier(FileTier(path)))
    }

    /// The same with a path under the caches directory. A path that leads out of it keeps nothing and is reported as a fault.
    public static func toDisk(path: String) -> CachePolicy {
      CachePolicy(memory: nil, disk: .tier(FileTier(cachesPath: path)))
    }

    /// An NSCache of the app's. It is held weakly, and given the largest decode so far.
    ///
    /// An image that the app puts there itself counts as the picture in full, in its own size in points: a future with a transform, or with
    /// another `size`, does not show it. Futures with different transforms need different keys, or they take each other's place.
    public static func using(cache: NSCache<NSString, UIImage>, key: String) -> CachePolicy {
      CachePolicy(memory: NSCacheTier(cache, key: key), disk: .none)
    }

    /// An NSCache and a file, each if given.
    public init(memCache: (cache: NSCache<NSString, UIImage>, key: String)? = nil, diskPath: URL? = nil) {
      memory = memCache.map { NSCacheTier($0.cache, key: $0.key) }
      disk = diskPath.map { .tier(FileTier($0)) } ?? .none
    }

    /// Tiers of the app's own. They are asked by the source's key.
    public static func tiers(memory: (any MemoryTier)? = nil, disk: (any DiskTier)? = nil) -> CachePolicy {
      CachePolicy(memory: memory, disk: disk.map { .tier($0) } ?? .none)
    }

    /// The same for another picture than the one that an app's key or path is for.
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
