extension FutureImage {
  /// What a loader did since it was made.
  public struct Statistics: Sendable, Hashable {
    /// Futures created with a source.
    public var futures = 0
    /// Exchanges begun: those after a redirect and the repeated ones count.
    public var requests = 0
    /// Times that a future found somebody fetching or reading its bytes already.
    public var joined = 0
    /// Times that pixels were wanted and were in the pool, or in the future's own memory tier.
    public var poolHits = 0
    /// Times that bytes came from a disk tier.
    public var diskHits = 0
    /// Times that pixels were made.
    public var decodes = 0
    /// Times that something was made to show of a picture whose bytes were still coming. They are no decodes.
    public var interims = 0
    /// Times that decoded pixels had to go for others, because of the limit.
    public var pixelsLetGo = 0
    /// Transfers and decodes that failed for good. Cancellation is no failure.
    public var failures = 0
    /// Attempts after one that failed: by the retry policy, by binding anew or by `reload()`.
    public var retries = 0
    /// Bytes of bodies, as they were handed on by the fetcher.
    public var bytesReceived = 0
    /// Times that a cache tier could not read or write. No picture is lost by it.
    public var cacheFaults = 0
    /// What the last of those said.
    public var lastCacheFault: String?
    /// The longest stretch for which the library held the main thread to deliver pictures.
    public var longestMainStretch = Duration.zero
    /// The most processor time of the main thread that one such stretch took: the stretch without the time that other threads had the
    /// processor.
    public var longestMainWork = Duration.zero
  }
}
