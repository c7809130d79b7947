import FutureImage
import FutureImageCache

/// A thumbnail server without its HTTP framework. It responds to targets such as `/thumbnail?url=https://…&width=320&height=240`, in the
/// best format that the client accepts.
struct ThumbnailServer: Sendable {
  struct Response: Sendable {
    var status: Int
    var headers: [String: String] = [:]
    var body = Data()
  }

  private let loader: FutureImage.Loader
  private let finished: Cache<Data>
  private let admission: Admission
  private let deadline: Duration
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - servers: The only servers that images are fetched from, such as `images.example.com:443`, in lowercase.
  ///   - folder: The folder for the originals and the thumbnails.
  ///   - limit: The maximum number of requests in progress. The server refuses further requests.
  ///   - deadline: The maximum duration of one request, measured by the clock.
  init(
    servers: Set<String>, folder: URL, limit: Int = 200, deadline: Duration = .seconds(20), clock: any Clock<Duration> = ContinuousClock()
  ) {
    var configuration = FutureImage.Loader.Configuration()
    configuration.decodingLimits.maxPixels = 50_000_000
    configuration.decodingLimits.maxFrames = 100
    configuration.diskCache = FutureImage.DiskCache(directory: folder.appendingPathComponent("originals"), maxBytes: 1 << 30)
    configuration.maxBytes = 16 << 20
    // If a server is busy, the client repeats its request. A wait for the server would take time from the client's deadline.
    configuration.retry = FutureImage.RetryPolicy(attempts: 2, maxRetryAfter: .zero)
    configuration.prepareRequest = { request in
      guard let server = Self.server(of: request.url), servers.contains(server) else {
        throw FutureImage.Failure(.refused("its server is not on the list"))
      }
      return request
    }
    loader = FutureImage.Loader(configuration)
    finished = Cache(directory: folder.appendingPathComponent("thumbnails"), as: .data, fetching: loader)
    admission = Admission(limit: limit)
    self.deadline = deadline
    self.clock = clock
  }

  /// Returns the response to a client's request for the target.
  /// - Parameter fields: The fields of the request, with names in lowercase.
  func respond(to target: String, fields: [String: String] = [:]) async -> Response {
    guard let order = Order(target, accept: fields["accept"] ?? "") else { return Response(status: 400) }
    do {
      let thumbnail = try await admission.run { try await thumbnailWithinDeadline(order) }
      let tag = Self.entityTag(of: thumbnail)
      var headers = ["ETag": tag, "Vary": "Accept", "Cache-Control": "public, max-age=86400"]
      if Self.tags(in: fields["if-none-match"]).contains(tag) { return Response(status: 304, headers: headers) }
      headers["Content-Type"] = order.format.mimeType
      return Response(status: 200, headers: headers, body: thumbnail)
    } catch let failure as FutureImage.Failure {
      return Response(status: failure.answer, headers: failure.retryAfter.map { ["Retry-After": "\($0.components.seconds)"] } ?? [:])
    } catch {
      return Response(status: 503, headers: ["Retry-After": "1"])
    }
  }

  /// Answers requests until the process receives one of the signals, and then shuts down.
  /// - Parameters:
  ///   - isListening: Called once for each of the signals, as soon as the process listens for the signal.
  ///   - serve: Accepts connections and responds to their targets, until its task is canceled.
  func run(
    until signals: [Int32] = [SIGTERM, SIGINT], isListening: @escaping @Sendable () -> Void = {},
    _ serve: @escaping @Sendable (ThumbnailServer) async -> Void
  ) async {
    let serving = Task { await serve(self) }
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let sources = signals.map { number in
      // By default, the signal would end the process.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { arrival.yield() }
      source.setRegistrationHandler { isListening() }
      source.resume()
      return source
    }
    for await _ in arrivals { break }
    for source in sources { source.cancel() }
    serving.cancel()
    await shutDown()
  }

  /// Refuses new requests. Returns when the requests in progress are answered, and all fetched originals and all thumbnails are on disk.
  func shutDown() async {
    await admission.close()
    await loader.waitUntilIdle()
    await finished.waitUntilIdle()
  }

  private func thumbnail(_ order: Order) async throws -> Data {
    if let known = try await finished.value(forKey: order.name) { return known }
    let encoding = FutureImage.Encoding(order.format)
    let thumbnail = try await loader.encoded(.url(order.url), resizedTo: order.box, as: encoding, confirmed: true)
    finished.set(thumbnail.data, forKey: order.name)
    return thumbnail.data
  }

  private func thumbnailWithinDeadline(_ order: Order) async throws -> Data {
    try await withThrowingTaskGroup(of: Data.self) { group in
      group.addTask { try await thumbnail(order) }
      group.addTask { [clock, deadline] in
        try await clock.sleep(for: deadline)
        throw FutureImage.Failure(.transport(.timedOut), key: FutureImage.Source.url(order.url).key)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }
}

extension ThumbnailServer {
  /// Returns the host and the port of a URL. A list of hosts without ports would allow all ports of these hosts.
  private static func server(of url: URL) -> String? {
    url.host().map { "\($0.lowercased()):\(url.port ?? (url.scheme?.lowercased() == "http" ? 80 : 443))" }
  }

  /// Returns a value for the field `ETag`: the length and a hash of the bytes, FNV-1a with 64 bits.
  private static func entityTag(of data: Data) -> String {
    let hash = data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))-\(data.count)\""
  }

  /// Returns the entity tags in a field `If-None-Match`, which is a list. Weak tags are returned without their prefix `W/`.
  private static func tags(in field: String?) -> [String] {
    (field ?? "").split(separator: ",").map { tag in
      let tag = tag.trimmingCharacters(in: .whitespaces)
      return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
  }

  /// Returns the first of AVIF and WebP that is available and that the client names in the field `Accept`. If there is none, returns JPEG,
  /// which every client reads.
  private static func format(accept: String) -> FutureImage.Encoding.Format {
    let names = accept.lowercased().split(separator: ",").map { $0.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) } }
    let accepted = names.filter { parts in !parts.dropFirst().contains { $0 == "q=0" } }.compactMap(\.first)
    return [.avif, .webp].first { $0.isAvailable && accepted.contains($0.mimeType) } ?? .jpeg
  }

  /// The request of a client.
  private struct Order: Sendable {
    let url: URL
    let box: FutureImage.PixelSize
    let format: FutureImage.Encoding.Format
    var name: String { "\(url) \(box.width) × \(box.height) \(format)" }

    /// Returns nil if the path of the target is not `/thumbnail`, if the target has no URL, or if a side is not a number from 1 to 2000.
    init?(_ target: String, accept: String) {
      guard let parts = URLComponents(string: target), parts.path == "/thumbnail", let items = parts.queryItems else { return nil }
      func text(_ name: String) -> String? { items.first { $0.name == name }?.value }
      guard let url = text("url").flatMap({ URL(string: $0) }), let width = Int(text("width") ?? "320"),
        let height = Int(text("height") ?? "320"), (1...2000).contains(width), (1...2000).contains(height)
      else { return nil }
      self.url = url
      format = ThumbnailServer.format(accept: accept)
      box = FutureImage.PixelSize(width: width, height: height)
    }
  }

  /// Refuses further requests while the highest number of requests is in progress. If all requests were accepted, the oldest requests would
  /// wait longest, because the loader starts the latest request first.
  private actor Admission {
    struct Refused: Error {}

    private let limit: Int
    private var count = 0
    private var isClosed = false
    private var closing: [CheckedContinuation<Void, Never>] = []

    init(limit: Int) { self.limit = limit }

    func run(_ work: @Sendable () async throws -> Data) async throws -> Data {
      guard !isClosed, count < limit else { throw Refused() }
      count += 1
      defer { leave() }
      return try await work()
    }

    /// Refuses all further requests, and returns when no request is in progress.
    func close() async {
      isClosed = true
      if count > 0 { await withCheckedContinuation { closing.append($0) } }
    }

    private func leave() {
      count -= 1
      guard isClosed, count == 0 else { return }
      for continuation in closing { continuation.resume() }
      closing = []
    }
  }
}

extension FutureImage.Failure {
  /// The HTTP status of the response to the client.
  fileprivate var answer: Int {
    switch reason {
    case .refused: 400
    case .status(404), .status(410): 404
    case .status(429), .status(503), .cancelled, .outOfMemory: 503
    case .transport(.timedOut), .transport(.stalled): 504
    case .status, .transport, .malformed, .empty: 502
    case .undecodable, .unsupported, .tooLarge, .tooManyPixels: 422
    default: 500
    }
  }
}
