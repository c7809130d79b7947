import FutureImage

/// The size and age limits of a ``Cache``, or of one of its variants.
public struct CacheCapacity: Sendable, Hashable {
  package let memoryBytes: Int
  package let memoryCount: Int
  package let memoryAge: Duration?
  package let diskBytes: Int
  package let diskAge: Duration?

  /// - Parameters:
  ///   - memoryBytes: the limit for memory, in bytes as the coder counts them.
  ///   - memoryCount: the maximum number of values in memory.
  ///   - memoryAge: how long a value stays in memory after it was stored there, regardless of its use; nil for no limit. After this time,
  ///     the value is read from disk again.
  ///   - diskBytes: the limit for the files, in bytes; 0 stores nothing on disk.
  ///   - diskAge: how long a file stays on disk after its last use; nil for no limit. A file in regular use never expires. To replace such
  ///     values, put a version or a date into their keys.
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

/// The current contents of a ``Cache``, or of one of its variants.
public struct CacheSizes: Sendable, Hashable {
  /// The size in memory, in bytes as the coder counts them.
  public var memoryBytes = 0
  /// The number of values in memory.
  public var memoryCount = 0
  /// The size of the files in bytes, headers included.
  public var diskBytes = 0
  /// The number of files.
  public var diskCount = 0
}
