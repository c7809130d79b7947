import FutureImage

extension Cache {
  /// A variant of a cache's values, with a name, a transform of the original, and a capacity of its own.
  ///
  ///     let thumbnail = Cache<UIImage>.Variant("thumbnail", CacheCapacity(diskBytes: 16 << 20)) { image in
  ///       try thumbnail(of: image)
  ///     }
  public struct Variant: Sendable {
    /// The name that identifies the transform and everything that the transform depends on. It is empty for the original.
    let name: String
    /// The capacity of this variant, independent of the original's.
    let capacity: CacheCapacity
    let transform: @Sendable (Value) throws -> Value

    /// - Parameters:
    ///   - name: a name that identifies the transform and everything that the transform depends on. For example, another size needs another
    ///     name. The initializer traps if the name is empty.
    ///   - capacity: the capacity of this variant.
    ///   - transform: returns the variant's value, made from the original. It is called on any thread except the main thread, several times
    ///     at once.
    public init(
      _ name: String, _ capacity: CacheCapacity = CacheCapacity(),
      transform: @escaping @Sendable (Value) throws -> Value
    ) {
      precondition(!name.isEmpty, "a Cache.Variant needs a name, because the empty name belongs to the original")
      self.init(name: name, capacity: capacity, transform: transform)
    }

    /// The values as they were set or fetched, with the cache's own capacity.
    public static var original: Variant { original(CacheCapacity()) }

    static func original(_ capacity: CacheCapacity) -> Variant {
      Variant(name: "", capacity: capacity) { $0 }
    }

    private init(name: String, capacity: CacheCapacity, transform: @escaping @Sendable (Value) throws -> Value) {
      self.name = name
      self.capacity = capacity
      self.transform = transform
    }

    var isOriginal: Bool { name.isEmpty }
  }
}
