extension FutureImage {
  /// The caches that store an image beyond the lifetime of its models.
  ///
  ///     FutureImage(at: url)                                                        // .automatic: the loader's pool and disk cache
  ///     FutureImage(at: url, cachePolicy: .using(cache: thumbnails, key: item.id))  // an NSCache of the app
  ///     FutureImage(at: url, cachePolicy: .toDisk(path: "avatars/\(user.id).jpg"))  // a file under the caches directory
  ///     FutureImage(at: url, cachePolicy: .modelOnly)                               // nothing
  ///
  /// A future searches its own tiers before it fetches its image, and stores the image in them when it has arrived. Without a disk tier,
  /// the encoded bytes stay in memory, and all futures of the image share them.
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
    /// Whether the caches retain an image that its source has deleted.
    var retainsDeleted = false

    /// A policy with the same caches that never fetches from the source, whether the source is a URL, a file, or a closure.
    ///
    ///     FutureImage(at: url, cachePolicy: .automatic.onlyFromCache)
    ///
    /// If no cache has the image, the future fails with ``FutureImage/FutureImage/Failure/Reason/notCached``. It also fails if the image
    /// must be revalidated before it is used. A stale image that need not be revalidated is shown. The future searches the caches again
    /// when it is bound or awaited, and when ``FutureImage/FutureImage/reload()`` is called. If another future fetches the image in the
    /// meantime, this future receives the image, too.
    public var onlyFromCache: CachePolicy {
      var policy = self
      policy.asksSource = false
      return policy
    }

    /// A policy with the same caches that retains an image even if its source has deleted it.
    ///
    ///     FutureImage(at: url, cachePolicy: .automatic.retainingDeleted)
    ///
    /// By default, a status of 404 or 410 in response to a revalidation or a reload removes the image from all caches. New futures then do
    /// not show the image. Views that already show the image continue to show it until they are bound again.
    public var retainingDeleted: CachePolicy {
      var policy = self
      policy.retainsDeleted = true
      return policy
    }

    /// The loader's pool and its disk cache.
    public static let automatic = CachePolicy(memory: nil, disk: .loader)

    /// Whether the policy equals ``automatic``, as for nearly all futures.
    var isAutomatic: Bool {
      guard case .loader = disk else { return false }
      return memory == nil && outlivesModel && asksSource && !retainsDeleted
    }

    /// Unavailable. Use ``modelOnly``, which stores nothing. This declaration lets the compiler suggest that name.
    @available(*, unavailable, renamed: "modelOnly")
    public static var none: CachePolicy { modelOnly }

    /// A policy without caches beyond the model. The futures of an image share its encoded bytes. The bytes and the pixels are released
    /// with the last future.
    public static let modelOnly = CachePolicy(memory: nil, disk: .none, outlivesModel: false)

    /// Stores the body as received, byte for byte, in a file that the app chooses. If the file already exists, the future shows its
    /// contents; `reload()` fetches the image again.
    public static func toDisk(path: URL) -> CachePolicy {
      CachePolicy(memory: nil, disk: .tier(FileTier(path)))
    }

    /// Stores the body in a file under the caches directory. If the path leads out of that directory, nothing is stored, and a fault is
    /// reported.
    public static func toDisk(path: String) -> CachePolicy {
      CachePolicy(memory: nil, disk: .tier(FileTier(cachesPath: path)))
    }

    /// Stores the largest image decoded so far in an `NSCache` of the app. The policy has only a weak reference to the cache.
    ///
    /// An image that the app itself stores in the cache counts as the full image, with its own size in points. So a future with a transform
    /// or with another `size` does not show that image. Futures with different transforms need different keys. Otherwise, they replace each
    /// other's images.
    /// - Parameters:
    ///   - cache: the cache, which the policy references weakly.
    ///   - key: the key of the image in the cache.
    ///   - path: the file in which the body is stored as received, as by ``toDisk(path:)-(URL)``; nil for no file.
    public static func using(cache: NSCache<NSString, BaseImage>, key: String, path: URL? = nil) -> CachePolicy {
      CachePolicy(memory: NSCacheTier(cache, key: key), disk: path.map { .tier(FileTier($0)) } ?? .none)
    }

    /// Stores images in the app's own tiers, under the source's key.
    public static func tiers(memory: (any MemoryTier)? = nil, disk: (any DiskTier)? = nil) -> CachePolicy {
      CachePolicy(memory: memory, disk: disk.map { .tier($0) } ?? .none)
    }

    /// The policy for another image of the same future, such as its image for dark mode. It is this policy without the tiers whose key or
    /// path the app chose for the first image.
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
