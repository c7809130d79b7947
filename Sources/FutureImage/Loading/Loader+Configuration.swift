extension FutureImage.Loader {
  /// The settings of a loader. The defaults suit an app that shows photos.
  public struct Configuration: Sendable {
    /// The fetcher for `http` and `https` URLs.
    public var fetcher: any FutureImage.Fetcher
    /// The limits beyond which images in the platform's formats are refused. Added decoders have their own limits.
    public var decodingLimits: FutureImage.DecodingLimits {
      get { standardDecoder.limits }
      set { standardDecoder.limits = newValue }
    }
    private var standardDecoder: FutureImage.StandardDecoder
    private var replacedDecoder: (any FutureImage.ImageDecoder)?
    /// The decoder of all images, which chooses among the added decoders and the platform's decoder. A decoder that the app adds may retain
    /// the former value of this property, and call it.
    public package(set) var decoder: any FutureImage.ImageDecoder {
      get { replacedDecoder ?? standardDecoder }
      set { replacedDecoder = newValue }
    }
    /// The disk cache in which ``FutureImage/CachePolicy/automatic`` stores encoded images; nil for no disk cache.
    public var diskCache: FutureImage.DiskCache?
    /// The limit on all decoded pixels that are retained, in bytes.
    public var maxPixelBytes: Int
    /// The number of transfers that may run at a time. While other transfers wait, transfers that have been silent for a second or two do
    /// not count. At most three times this number of transfers are left out of the count in this way.
    public var maxTransfers = 24
    /// The number of transfers that may run to one host. While other transfers wait, transfers that have been silent for a second or two do
    /// not count. At most three times this number of transfers are left out of the count in this way. Without any such maximum, transfers
    /// that wait for code of the app, such as the source's headers or ``prepareRequest``, are left out of the count, too.
    public var maxTransfersPerHost = 6
    /// The number of images that may be decoded at a time.
    public var maxDecodes: Int
    /// The policy by which failed transfers are retried.
    public var retry = FutureImage.RetryPolicy()
    /// The longest time that the exchanges of one attempt may take together, including redirects. Each call of a closure that makes headers
    /// or renews a URL has a limit of its own, which is as long. Time while the process is suspended does not count.
    public var timeout = Duration.seconds(60)
    /// The longest time that an exchange may go without receiving a byte. Time while the process is suspended does not count.
    public var stallTimeout = Duration.seconds(15)
    /// The networks over which images are not loaded. A source may name a smaller image to load over them. A source without a smaller image
    /// fails until the network changes.
    public var avoidedNetworks: Set<FutureImage.NetworkTrait> = []
    /// The limit on the size of a body, in bytes, after its content coding is removed.
    public var maxBytes: Int
    /// The header fields of every request to a server. A field of the source replaces the field here that has the same name. The case of
    /// names does not matter.
    ///
    /// The loader sends these fields to every server that a feed names, and after every redirect. Do not put credentials here. Put them in
    /// the source's headers, which are sent only to the source's origin, or add them in ``prepareRequest``, which receives the URL.
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
    /// The loader calls the closure for every attempt and after every redirect, in a separate task, with the complete request, including
    /// conditions and ranges. If the closure changes the URL, a redirect is still resolved against the URL before the change, and the
    /// source's key stays the same. The closure may take as long as the rest of ``timeout``. An error that it throws fails the attempt.
    /// Another attempt follows, unless the error is a ``FutureImage/FutureImage/Failure`` that is not transient.
    public var prepareRequest: (@Sendable (FutureImage.Request) async throws -> FutureImage.Request)?
    /// The folders in which, or below which, a source may read files; nil for any file that the process can read. Links are followed and
    /// `..` is resolved before the check.
    public var fileRoots: [URL]?
    /// The size that is assumed for a view without a size.
    package var fallbackPixels = FutureImage.PixelSize(width: 1024, height: 1024)
    /// Receives the key of an image and each event as it happens. The closure is called on any thread, including the fetcher's, so it must
    /// return quickly.
    public var onEvent: (@Sendable (_ key: String, _ event: Event) -> Void)?
    /// Returns the current date, which decides when responses are stale. Called on any thread.
    public var now: @Sendable () -> Date = { Date() }
    /// The clock for waits between attempts, for pauses that a server demands for its host, for the time for which failures are remembered,
    /// for intervals of previews, for durations in events, and, on Linux, for the playback of animations. This clock continues while the
    /// process is suspended.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The clock for ``timeout`` and ``silence``.
    var runningClock = RunningClock.shared
    /// The interval of the polls that detect silent transfers while other transfers wait for a slot. A transfer from which nothing has
    /// arrived between two polls yields its slot, so this happens after one to two intervals of silence. Nil if silent transfers yield no
    /// slots.
    package var silence: Duration? = .seconds(1)
    /// Receives each loader that is created with this configuration. Test fetchers use it to explain why requests do not arrive.
    package var onCreation: (@Sendable (FutureImage.Loader) -> Void)?
    /// The queue of writes to disk tiers, which all loaders and caches share.
    package var writes = WriteBehind.shared
    /// Returns a random number from 0 to 1. The longest wait between two attempts is multiplied by this number.
    var chance: @Sendable () -> Double = { Scheduling.chance() }
    /// Schedules deliveries on the main actor; nil for the main dispatch queue.
    var mainTurns: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

    /// Creates the default configuration: this platform's fetcher and decoders, the program's disk cache, an eighth of the memory (at most
    /// 512 MiB) for pixels, bodies of up to 64 MiB, and as many decodes at a time as there are cores (at least two).
    ///
    /// If the process may use only a part of the memory, as in an extension or a container, the limits are smaller. Of the memory that is
    /// available at this call, pixels may use a quarter, one body a quarter, and one decode half. One decode may run at a time for each 128
    /// MiB that are available.
    public init() {
      let memory = ProcessMemory.current
      fetcher = platformFetcher
      standardDecoder = FutureImage.StandardDecoder(limits: memory.decodingLimits)
      diskCache = .standard
      maxPixelBytes = memory.maxPixelBytes
      maxBytes = memory.maxBytes
      maxDecodes = memory.maxDecodes(cores: ProcessInfo.processInfo.activeProcessorCount)
    }
  }
}

extension FutureImage.Loader.Configuration {
  /// Adds a decoder of a format that the platform does not decode, or decodes differently. It takes precedence over decoders that were
  /// added earlier.
  ///
  ///     configuration.addDecoder(QOIDecoder()) { $0.starts(with: "qoif".utf8) }
  ///
  /// The bytes of an image alone select its decoder. If this decoder throws an error, no other decoder is tried.
  /// - Parameters:
  ///   - decoder: a decoder of one format.
  ///   - isFormat: returns whether a file has that format, by its first bytes. Names and MIME types are not passed, because servers often
  ///     state wrong ones. The closure is called for every image, with all of its bytes or only their beginning, on any thread, and should
  ///     take about a microsecond.
  public mutating func addDecoder(_ decoder: any FutureImage.ImageDecoder, where isFormat: @escaping @Sendable (Data) -> Bool) {
    standardDecoder.add(decoder, where: isFormat)
  }

  /// Returns all header fields of a request: the given fields, and the loader's fields with other names.
  func fields(besides given: [String: String]) -> [String: String] {
    if headers.isEmpty { return given }
    let names = Set(given.keys.map { $0.lowercased() })
    return given.merging(headers.filter { !names.contains($0.key.lowercased()) }) { field, _ in field }
  }
}
