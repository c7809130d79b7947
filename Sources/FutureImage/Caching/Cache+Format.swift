extension FutureImage.Cache {
  /// A form in which a cache's values are wanted: its name, what is done to the original, and a capacity of its own.
  ///
  ///     let thumbnail = FutureImage.Cache<UIImage>.Format("thumbnail", FutureImage.CacheCapacity(diskBytes: 16 << 20)) { image in
  ///       try thumbnail(of: image)
  ///     }
  public struct Format: Sendable {
    /// Stands for what the transform does, with all that it depends on: another size needs another name. Empty for the original.
    public let name: String
    /// How much of this form is kept: of its own, whatever the original's is.
    public let capacity: FutureImage.CacheCapacity
    let transform: @Sendable (Value) throws -> Value

    /// - Parameters:
    ///   - name: Not empty; traps if it is.
    ///   - capacity: Of this form.
    ///   - transform: Makes the form from the original; any thread but the main one, several at once.
    public init(
      _ name: String, _ capacity: FutureImage.CacheCapacity = FutureImage.CacheCapacity(),
      transform: @escaping @Sendable (Value) throws -> Value
    ) {
      precondition(!name.isEmpty, "a Cache.Format needs a name: the empty one belongs to the original")
      self.init(name: name, capacity: capacity, transform: transform)
    }

    /// The values as they were set or fetched, under the cache's own capacity.
    public static var original: Format { original(FutureImage.CacheCapacity()) }

    static func original(_ capacity: FutureImage.CacheCapacity) -> Format {
      Format(name: "", capacity: capacity) { $0 }
    }

    private init(name: String, capacity: FutureImage.CacheCapacity, transform: @escaping @Sendable (Value) throws -> Value) {
      self.name = name
      self.capacity = capacity
      self.transform = transform
    }

    var isOriginal: Bool { name.isEmpty }
  }
}
