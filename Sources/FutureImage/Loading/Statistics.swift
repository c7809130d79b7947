extension FutureImage {
  /// The statistics of a loader since it was created.
  public struct Statistics: Sendable, Hashable {
    /// The number of futures with a source. A future that was created without a fetch counts when it is used for the first time. A future
    /// whose source has an image for dark mode counts once for each of the two images that is used.
    public var futures = 0
    /// The number of exchanges that began, including repeated exchanges and those after a redirect.
    public var requests = 0
    /// The number of times that a future joined a lookup or a transfer that another future had requested.
    public var joined = 0
    /// The number of times that requested pixels were in the pool, or in the future's own memory tier.
    public var poolHits = 0
    /// The number of times that bytes came from a disk tier.
    public var diskHits = 0
    /// The number of decodes that ran to their end, including failed decodes and decodes whose pixels nothing needed any longer.
    public var decodes = 0
    /// The number of times that a preview was made while bytes were still arriving. Previews do not count as decodes.
    package var previews = 0
    /// The number of times that decoded pixels were evicted because of the limit.
    public var evictions = 0
    /// The number of transfers and decodes that failed and were not retried. A cancellation is not a failure.
    public var failures = 0
    /// The number of times that something was tried again after a failure: a transfer, an attempt, or an exchange of an attempt. For
    /// example, the retry policy permits another attempt, the future is bound again, or the app calls `reload()` or `retryFailed()`.
    public var retries = 0
    /// The number of body bytes, as the fetcher delivered them.
    public var bytesReceived = 0
    /// The number of times that a cache tier could not read or write. No image is lost by such a failure.
    public var cacheFaults = 0
    /// The description of the last failure of a cache tier.
    package var lastCacheFault: String?
    /// The longest time for which the library used the main thread without a break to deliver images.
    public var longestMainStretch = Duration.zero
    /// The most processor time that the library used on the main thread in one such stretch. It does not include the time in which other
    /// threads had the processor.
    public var longestMainWork = Duration.zero
  }
}
