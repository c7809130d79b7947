extension FutureImage.Loader {
  /// The settings of a loader. The defaults suit an app that shows photos.
  public struct Configuration: Sendable {
    /// The fetcher for `http` and `https` URLs.
    public var fetcher: any FutureImage.Fetcher
    /// The decoder. For limits and formats of your own, see ``FutureImage/StandardDecoder``.
    public var decoder: any FutureImage.ImageDecoder
    /// The disk cache in which ``FutureImage/CachePolicy/automatic`` stores encoded images; nil for none.
    public var diskCache: FutureImage.DiskCache?
    /// The limit on all decoded pixels that are retained, in bytes.
    public var maxPixelBytes: Int
    /// The number of transfers that may run at a time. Up to three times as many that have been silent for a second or two do not count
    /// while others wait.
    public var maxTransfers = 24
    /// The number of transfers that may run to one host. Up to three times as many that have been silent for a second or two do not count
    /// while others wait, and any number that wait for the source's headers or for ``prepareRequest``.
    public var maxTransfersPerHost = 6
    /// The number of images that are decoded at a time.
    public var maxDecodes: Int
    /// The quality of service of decoding.
    public var decodingQoS = DispatchQoS.userInitiated
    /// The policy by which failed transfers are retried.
    public var retry = FutureImage.RetryPolicy()
    /// The longest time that one attempt may take, including redirects. Time while the process is suspended does not count.
    public var timeout = Duration.seconds(60)
    /// The longest time that an exchange may go without a byte. Time while the process is suspended does not count.
    public var stallTimeout = Duration.seconds(15)
    /// The networks over which images are not loaded. A source may name a smaller image for them. Without one, the source fails until the
    /// network changes.
    public var avoidedNetworks: FutureImage.NetworkTraits = []
    /// The largest body, in bytes, after its content coding is removed.
    public var maxBytes: Int
    /// The limit on the header fields of a response, in bytes.
    public var maxHeaderBytes = 64 << 10
    /// The header fields of every request to a server. The fields of a source replace those with the same name, whatever its case.
    ///
    /// They go to every server that a feed names, and follow every redirect. Do not put credentials here. Put them in the source's headers,
    /// which stay with their origin, or in ``prepareRequest``, which sees the URL.
    public var headers: [String: String] = [:]
    /// Changes each request to a server before it is sent, for example to sign it; nil sends requests unchanged.
    ///
    ///     configuration.prepareRequest = { request in
    ///       guard request.url.host() == "images.example.com" else { return request }
    ///       var request = request
    ///       request.headers["Authorization"] = "Bearer \(try await session.token())"
    ///       return request
    ///     }
    ///
    /// The loader calls it for every attempt and after every redirect, in a separate task, with the complete request, including conditions
    /// and ranges. Redirects are resolved against the URL before the change, and the source's key does not change. The change may take as
    /// long as the rest of ``timeout``. An error that it throws fails the attempt. Another attempt follows, unless the error is a
    /// ``FutureImage/FutureImage/Failure`` that is not transient.
    public var prepareRequest: (@Sendable (FutureImage.Request) async throws -> FutureImage.Request)?
    /// The locations from which a source may read files.
    public var fileRoots = FutureImage.FileRoots.anywhere
    /// The size that is assumed for a view without a size.
    public var fallbackPixels = FutureImage.PixelSize(width: 1024, height: 1024)
    /// Receives each event as it happens. It is called on any thread, including the fetcher's, so it must be quick.
    public var onEvent: (@Sendable (Event) -> Void)?
    /// Returns the current date, which decides when responses are stale. Called on any thread.
    public var now: @Sendable () -> Date = { Date() }
    /// The clock for waits between attempts and while a host is held, for how long failures are remembered, and for durations in events. It
    /// continues while the process is suspended.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The clock for ``timeout`` and ``silence``.
    var runningClock = RunningClock.shared
    /// The shortest time for which a silent transfer blocks others that wait for a slot; the longest is twice that. Nil for no limit.
    package var silence: Duration? = .seconds(1)
    /// Receives each loader that is created with this configuration. For fetchers of tests, which explain the requests that do not come.
    package var onCreation: (@Sendable (FutureImage.Loader) -> Void)?
    /// The writes that wait for disk tiers, over all loaders and caches.
    package var writes = WriteBehind.shared
    /// Returns a random number from 0 ... 1: the share of the time between two attempts that is waited.
    var chance: @Sendable () -> Double = { Scheduling.chance() }
    /// Schedules deliveries on the main actor; nil for the main dispatch queue.
    var mainTurns: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

    /// Creates the default configuration: this platform's fetcher and decoders, the program's disk cache, an eighth of the memory (at most
    /// 512 MiB) for pixels, bodies of 64 MiB, and as many decodes at a time as there are cores (at least two).
    ///
    /// If the process may use only part of the memory, as in an extension or a container, the part that is available at the call sets
    /// smaller limits: a quarter of it for pixels and for one body, half of it for all decodes.
    public init() {
      let memory = ProcessMemory.current
      fetcher = platformFetcher
      decoder = FutureImage.StandardDecoder(limits: memory.decodingLimits)
      diskCache = .standard
      maxPixelBytes = memory.maxPixelBytes
      maxBytes = memory.maxBytes
      maxDecodes = memory.maxDecodes(cores: ProcessInfo.processInfo.activeProcessorCount)
    }
  }
}

extension FutureImage.Loader.Configuration {
  /// Returns all header fields of a request: the given ones, and the loader's that they do not name.
  func fields(besides given: [String: String]) -> [String: String] {
    if headers.isEmpty { return given }
    let names = Set(given.keys.map { $0.lowercased() })
    return given.merging(headers.filter { !names.contains($0.key.lowercased()) }) { field, _ in field }
  }
}
