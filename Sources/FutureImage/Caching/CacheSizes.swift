extension FutureImage {
  /// The current contents of a ``Cache``, or of one of its formats.
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
}
