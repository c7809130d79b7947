extension FutureImage.Loader {
  /// How a loader works. The defaults are for an app that shows photos.
  public struct Configuration: Sendable {
    /// Gets what `http` and `https` URLs name.
    public var fetcher: any FutureImage.Fetcher
    /// Bounds and formats of the app's own: see ``FutureImage/StandardDecoder``.
    public var decoder: any FutureImage.ImageDecoder
    /// Where ``FutureImage/CachePolicy/automatic`` keeps encoded pictures; nil for nowhere.
    public var diskCache: FutureImage.DiskCache?
    /// The limit on all decoded pixels that are kept, in bytes.
    public var pixelLimit: Int
    /// How many transfers may run at a time. One of which nothing is heard for a second or two does not count while others wait, up to three
    /// times as many.
    public var maxTransfers = 24
    /// And how many to one host. One that waits for the source's headers for as long does not count either.
    public var maxTransfersPerHost = 6
    /// How many pictures are decoded at a time.
    public var maxDecodes: Int
    /// How urgent decoding is to the system.
    public var decodingQoS = DispatchQoS.userInitiated
    /// When a transfer that failed is tried again.
    public var retry = FutureImage.RetryPolicy()
    /// How long one attempt may take, redirects included. Time in which the process is suspended does not count.
    public var timeout = Duration.seconds(60)
    /// How long an exchange may go without a byte. Time in which the process is suspended does not count.
    public var stallTimeout = Duration.seconds(15)
    /// Networks that pictures are kept off. A source may name a smaller picture for them; without one it fails until there is another
    /// network.
    public var avoidedNetworks: FutureImage.NetworkTraits = []
    /// The largest body, in bytes, after its content coding is undone.
    public var maxBytes: Int
    /// The most bytes of header fields in an answer.
    public var maxHeaderBytes = 64 << 10
    /// Header fields of every request to a server. The fields of a source replace those with the same name, in whatever case it is written.
    ///
    /// They go to every server that a feed names, and along with every redirect: put no credentials here, but into the source's headers,
    /// which stay with their origin, or into ``prepareRequest``, which sees the URL.
    public var headers: [String: String] = [:]
    /// Changes each request to a server before it is sent, as signing does; nil sends requests as they are.
    ///
    ///     configuration.prepareRequest = { request in
    ///       guard request.url.host() == "images.example.com" else { return request }
    ///       var request = request
    ///       request.headers["Authorization"] = "Bearer \(try await session.token())"
    ///       return request
    ///     }
    ///
    /// Called for every attempt and after every redirect, in a task of its own, with the complete request, conditions and ranges included.
    /// Redirects are resolved against the URL before the change, and the source's key stays what it was. It may take as long as the rest of
    /// ``timeout``. An error that it throws fails the attempt, and another one follows, unless it is a ``FutureImage/FutureImage/Failure``
    /// that is not transient.
    public var prepareRequest: (@Sendable (FutureImage.Request) async throws -> FutureImage.Request)?
    /// Where files may lie that a source asks for.
    public var fileRoots = FutureImage.FileRoots.anywhere
    /// What a view that has no size yet is given, in pixels.
    public var fallbackPixels = CGSize(width: 1024, height: 1024)
    /// Told of what happens, as it happens: on any thread, that of the fetcher among them, so it must be quick.
    public var onEvent: (@Sendable (Event) -> Void)?
    /// The time of day, by which answers go stale; asked on any thread.
    public var now: @Sendable () -> Date = { Date() }
    /// For the waits between attempts, which go on while the process is suspended.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// For ``timeout``.
    var runningClock = RunningClock.shared
    /// How long a transfer of which nothing is heard holds up others that wait for a slot, at least, and twice as long at most; nil for
    /// ever.
    package var silence: Duration? = .seconds(1)
    /// What waits for disk tiers, over all loaders and caches.
    var writes = WriteBehind.shared
    /// Draws from 0 ... 1: how much of the time between two attempts is waited.
    var chance: @Sendable () -> Double = { Scheduling.chance() }
    /// Gives what is delivered its turns on the main actor; nil for the main dispatch queue.
    var mainTurns: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

    /// The defaults: this platform's fetcher and decoders, the program's disk cache, an eighth of the memory (at most 512 MiB) for pixels,
    /// bodies of 64 MiB, as many decodes at a time as there are cores (at least two).
    ///
    /// Where the process may use only a part of the memory, as in an extension or a container, what it may use when this is called sets
    /// limits that are smaller: a quarter of it for pixels and for one body, half of it for all decodes.
    public init() {
      let memory = ProcessMemory.current
      fetcher = platformFetcher
      decoder = FutureImage.StandardDecoder(limits: memory.decodingLimits)
      diskCache = .standard
      pixelLimit = memory.pixelLimit
      maxBytes = memory.maxBytes
      maxDecodes = memory.maxDecodes(cores: ProcessInfo.processInfo.activeProcessorCount)
    }
  }
}
