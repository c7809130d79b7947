extension FutureImage {
  /// How much a ``Cache``, or one format of it, may keep, and how long.
  public struct CacheCapacity: Sendable, Hashable {
    /// In bytes, as the coder counts them.
    public var memoryBytes: Int
    /// How many values stay in memory.
    public var memoryCount: Int
    /// How long after it was set a value stays in memory, however often it is used; nil for ever.
    public var memoryAge: Duration?
    /// Of the files, in bytes; 0 keeps nothing on disk.
    public var diskBytes: Int
    /// How long a file stays after its last use; nil for ever.
    public var diskAge: Duration?

    public init(
      memoryBytes: Int = 32 << 20, memoryCount: Int = .max, memoryAge: Duration? = nil, diskBytes: Int = 128 << 20,
      diskAge: Duration? = .seconds(30 * 86_400)
    ) {
      self.memoryBytes = memoryBytes
      self.memoryCount = memoryCount
      self.memoryAge = memoryAge
      self.diskBytes = diskBytes
      self.diskAge = diskAge
    }
  }

  /// What a ``Cache``, or one format of it, keeps now.
  public struct CacheSizes: Sendable, Hashable {
    /// In bytes, as the coder counts them.
    public var memoryBytes = 0
    /// Values in memory.
    public var memoryCount = 0
    /// In bytes, headers of the files included.
    public var diskBytes = 0
    /// Files.
    public var diskCount = 0
  }
}
