import Foundation
import FutureImage
import FutureImageCache
import FutureImageTesting
import Testing

struct Thumbnails: Sendable {
  private let loader: FutureImage.Loader

  /// - Parameters:
  ///   - servers: The only servers from which images are fetched, such as `images.example.com:443`, in lowercase.
  ///   - folder: The folder that stores the originals.
  init(servers: Set<String>, folder: URL) {
    var configuration = FutureImage.Loader.Configuration()
    configuration.prepareRequest = { request in
      guard let server = request.url.server, servers.contains(server) else {
        throw FutureImage.Failure(.refused("its server is not on the list"))
      }
      return request
    }
    configuration.diskCache = FutureImage.DiskCache(directory: folder, maxBytes: 1 << 30)
    configuration.maxBytes = 16 << 20
    configuration.timeout = .seconds(10)
    configuration.stallTimeout = .seconds(5)
    configuration.retry = FutureImage.RetryPolicy(attempts: 2, maxRetryAfter: .zero)
    configuration.decodingLimits.maxPixels = 50_000_000
    configuration.decodingLimits.maxFrames = 100
    loader = FutureImage.Loader(configuration)
  }

  /// - Parameter accept: The field `Accept` of the client's request.
  func thumbnail(
    of url: URL, fitting box: FutureImage.PixelSize, accept: String
  ) async throws(FutureImage.Failure) -> FutureImage.EncodedImage {
    let box = FutureImage.PixelSize(width: min(max(box.width, 1), 2000), height: min(max(box.height, 1), 2000))
    let encoding = FutureImage.Encoding(FutureImage.Encoding.Format(accept: accept))
    return try await loader.encoded(.url(url), resizedTo: box, as: encoding, confirmed: true)
  }

  /// Returns when nothing is being loaded, and the originals are on disk.
  func shutDown() async { await loader.waitUntilIdle() }
}

extension FutureImage.Encoding.Format {
  /// Creates the best of the formats that a client names. Every client reads JPEG.
  init(accept: String) {
    let names = accept.lowercased().split(separator: ",").map { $0.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) } }
    let accepted = names.filter { parts in !parts.dropFirst().contains { $0 == "q=0" } }.compactMap(\.first)
    self = [.avif, .webp].first { $0.isAvailable && accepted.contains($0.mimeType) } ?? .jpeg
  }
}

extension URL {
  /// The host and the port to which a request goes. A host without a port would allow all ports of that host.
  var server: String? {
    host().map { "\($0.lowercased()):\(port ?? (scheme?.lowercased() == "http" ? 80 : 443))" }
  }
}

extension Data {
  /// A value for the field `ETag`. It is extremely unlikely that different bytes have the same value.
  var entityTag: String {
    // FNV-1a with 64 bits.
    let hash = reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))-\(count)\""
  }
}

func placeholders(for url: URL, by loader: FutureImage.Loader) async throws(FutureImage.Failure) -> (blur: String, thumb: String) {
  let box = FutureImage.Fitting.fit(FutureImage.PixelSize(width: 100, height: 100))
  let image = try await FutureImage(at: url, loader: loader).value(fitting: box, confirmed: true)
  return (try FutureImage.Placeholder.makeBlurHash(of: image), try FutureImage.Placeholder.makeThumbHash(of: image))
}

/// Returns when the process receives one of the signals.
func waitForSignal(_ signals: [Int32] = [SIGTERM, SIGINT], isListening: @escaping @Sendable () -> Void = {}) async {
  let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  let sources = signals.map { number in
    // Without this call, the signal would end the process.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler { arrival.yield() }
    source.setRegistrationHandler { isListening() }
    source.resume()
    return source
  }
  for await _ in arrivals { break }
  for source in sources { source.cancel() }
}

actor Admission {
  struct Refused: Error {}

  private let limit: Int
  private var count = 0

  init(limit: Int) { self.limit = limit }

  func run<Answer: Sendable>(_ work: @Sendable () async throws -> Answer) async throws -> Answer {
    guard count < limit else { throw Refused() }
    count += 1
    defer { count -= 1 }
    return try await work()
  }
}

func withDeadline<Answer: Sendable>(
  _ limit: Duration, for url: URL, _ work: @escaping @Sendable () async throws -> Answer
) async throws -> Answer {
  try await withThrowingTaskGroup(of: Answer.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw FutureImage.Failure(.transport(.timedOut), key: FutureImage.Source.url(url).key)
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw CancellationError() }
    return first
  }
}

extension FutureImage.Failure {
  var responseStatus: Int {
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

enum ServersSnippets {
  static func stored(_ name: String, _ thumbnail: FutureImage.EncodedImage) async throws -> Data {
    let finished = Cache<Data>(named: "thumbnails", as: .data)
    if let known = try await finished.value(forKey: name) { return known }
    finished.set(thumbnail.data, forKey: name)
    return thumbnail.data
  }

  struct Framework {
    func stopAccepting() {}
  }

  static func end(_ server: Framework, _ thumbnails: Thumbnails, _ finished: Cache<Data>) async {
    await waitForSignal()
    server.stopAccepting()  // In your framework: refuse new requests, and wait for the responses in progress.
    await thumbnails.shutDown()
    await finished.waitUntilIdle()
    exit(0)
  }

  static func admitted(
    _ admission: Admission, _ thumbnails: Thumbnails, _ url: URL, _ box: FutureImage.PixelSize, accept: String
  ) async throws -> FutureImage.EncodedImage {
    let thumbnail = try await admission.run { try await thumbnails.thumbnail(of: url, fitting: box, accept: accept) }
    return thumbnail
  }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ServersPage {
  private let box = FutureImage.PixelSize(width: 320, height: 320)

  @Test func `a thumbnail has the largest size that fits into the requested box`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.answer("/a.jpg", .ok(SampleImage.jpeg(1200, 900)))
    let thumbnails = makeThumbnails(server)
    let thumbnail = try await thumbnails.thumbnail(of: server.url("/a.jpg"), fitting: box, accept: "")
    #expect(UIImage(data: thumbnail.data)?.size == CGSize(width: 320, height: 240))
  }

  private func makeThumbnails(_ server: LoopbackServer) -> Thumbnails {
    Thumbnails(servers: ["127.0.0.1:\(server.baseURL.port ?? 0)"], folder: Scratch.folder())
  }

  @Test func `the hashes of a photo are those of its color and its aspect ratio`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.answer("/a.jpg", .ok(SampleImage.jpeg(1200, 900)))
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    let hashes = try await placeholders(for: server.url("/a.jpg"), by: FutureImage.Loader(configuration))
    // The average color is in the first six characters. Each of the 11 other components has two characters. fQ encodes a component that is
    // zero.
    #expect(hashes.blur.count == 28 && hashes.blur.hasSuffix(String(repeating: "fQ", count: 11)))
    // A ThumbHash has an approximate aspect ratio, which is 7 : 5 for a photo of 4 : 3.
    #expect(FutureImage.constant(.loading(nil), placeholder: .thumbHash(hashes.thumb)).size == CGSize(width: 32, height: 23))
  }

  @Test(arguments: [
    ("image/avif,image/webp,*/*;q=0.8", FutureImage.Encoding.Format.avif), ("image/webp", .webp), ("image/webp;q=0,image/png", .jpeg),
    ("", .jpeg)
  ])
  func `a thumbnail has the best of the formats that the client names`(accept: String, format: FutureImage.Encoding.Format) {
    #expect(!format.isAvailable || FutureImage.Encoding.Format(accept: accept) == format)
  }

  @Test func `different bytes have different entity tags`() {
    #expect(Data("a".utf8).entityTag == "\"af63dc4c8601ec8c-1\"")
    #expect(Data().entityTag == "\"cbf29ce484222325-0\"")
  }

  @Test func `a small photo is not enlarged`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.answer("/small.jpg", .ok(SampleImage.jpeg(200, 150)))
    let thumbnail = try await makeThumbnails(server).thumbnail(of: server.url("/small.jpg"), fitting: box, accept: "")
    #expect(UIImage(data: thumbnail.data)?.size == CGSize(width: 200, height: 150))
  }

  @Test func `a server that is not on the list gets no request, neither for a URL nor after a redirect`() async throws {
    let (server, other) = (try LoopbackServer(), try LoopbackServer())
    defer {
      server.stop()
      other.stop()
    }
    server.answer("/there", .redirect(to: "http://localhost:\(server.baseURL.port ?? 0)/a.jpg"))
    server.answer("/port", .redirect(to: other.url("/a.jpg").absoluteString))
    server.answer("/a.jpg", .ok(SampleImage.jpeg(1200, 900)))
    other.answer("/a.jpg", .ok(SampleImage.jpeg(1200, 900)))
    let thumbnails = makeThumbnails(server)
    let refused = FutureImage.Failure.Reason.refused("its server is not on the list")
    let urls = [server.url("/there"), server.url("/port"), other.url("/a.jpg"), URL(string: "http://localhost/a.jpg")]
    for url in urls.compactMap({ $0 }) {
      let failure = await #expect(throws: FutureImage.Failure.self) { try await thumbnails.thumbnail(of: url, fitting: box, accept: "") }
      #expect(failure?.reason == refused && failure?.responseStatus == 400)
    }
    #expect(server.requestCount("/there") == 1 && server.requestCount("/port") == 1 && server.requestCount("/a.jpg") == 0)
    #expect(other.requestCount("/a.jpg") == 0)
  }

  @Test(arguments: [
    ("https://Images.Example.com/a.jpg", "images.example.com:443"), ("http://images.example.com/a.jpg", "images.example.com:80"),
    ("https://images.example.com:8080/a.jpg", "images.example.com:8080"), ("data:,a", nil)
  ])
  func `the server of a URL is its host with the port to which a request goes`(url: String, server: String?) {
    #expect(URL(string: url)?.server == server)
  }

  @Test func `waitForSignal returns when the process receives the signal, and the process does not end`() async {
    // No other test uses this signal.
    await waitForSignal([SIGUSR2]) { kill(getpid(), SIGUSR2) }
  }

  @Test func `after shutDown returns, the original images of the thumbnails are on disk`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.answer("/a.jpg", .ok(SampleImage.jpeg(1200, 900)))
    let (folder, name) = (Scratch.folder(), "127.0.0.1:\(server.baseURL.port ?? 0)")
    let thumbnails = Thumbnails(servers: [name], folder: folder)
    let thumbnail = try await thumbnails.thumbnail(of: server.url("/a.jpg"), fitting: box, accept: "")
    await thumbnails.shutDown()
    server.stop()
    let again = try await Thumbnails(servers: [name], folder: folder).thumbnail(of: server.url("/a.jpg"), fitting: box, accept: "")
    #expect(again.data == thumbnail.data)
  }

  @Test func `a request beyond the limit is refused, and a request that starts after another ends is admitted`() async throws {
    let admission = Admission(limit: 1)
    let answer = try await admission.run {
      await #expect(throws: Admission.Refused.self) { try await admission.run { 0 } }
      return 1
    }
    let next = try await admission.run { 2 }
    #expect(answer == 1 && next == 2)
  }

  @Test func `a deadline ends the wait for an image that does not arrive`() async throws {
    let fetcher = HeldFetcher()
    let loader = FutureImage.Loader(.held(by: fetcher))
    let failure = await #expect(throws: FutureImage.Failure.self) {
      try await withDeadline(.zero, for: LoaderFixture.url()) { try await FutureImage(at: LoaderFixture.url(), loader: loader).value }
    }
    #expect(failure?.responseStatus == 504)
    #expect(failure?.key == LoaderFixture.url().absoluteString)
    #expect(failure?.description.contains(LoaderFixture.url().absoluteString) == true)
    await loader.waitUntilIdle()
  }

  @Test func `each reason of a failure has the response status that the page about servers lists`() {
    let table: [(FutureImage.Failure.Reason, Int)] = [
      (.refused("no"), 400), (.status(404), 404), (.status(410), 404), (.status(429), 503), (.status(503), 503), (.status(500), 502),
      (.cancelled, 503), (.transport(.stalled), 504), (.transport(.untrusted), 502), (.empty, 502), (.tooLarge(limit: 1), 422),
      (.undecodable("no"), 422), (.unsupported("no"), 422), (.tooManyPixels("no"), 422), (.unreadable("no"), 500),
      (.transformFailed("no"), 500),
      (.transport(.timedOut), 504), (.malformed("no"), 502), (.outOfMemory, 503)
    ]
    for (reason, status) in table { #expect(FutureImage.Failure(reason).responseStatus == status, "\(reason)") }
  }
}
