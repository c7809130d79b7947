#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests of whole loaders with a real server. They use URLSession only over HTTP/1.1, because on Linux it accepts only the system's
/// certificate authorities, and because concurrent redirects over HTTP/2 crash the process.
@Suite(
  .serialized, .enabled(if: NginxServer.isInstalled, "nginx and openssl are not installed (nginx-light, openssl)"), .tags(.threads),
  .timeLimit(.minutes(10)))
struct NginxTests {
  /// A fetcher, and the front of the server that it connects to.
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case curlHTTP1, curlHTTPS1, curlHTTP2, urlSessionHTTP1

    var testDescription: String { rawValue }
    var isHTTP2: Bool { self == .curlHTTP2 }
    /// The maximum number of connections that the fetcher needs. URLSession on Linux sometimes closes a connection, so it
    /// may need many.
    var connections: Int { self == .curlHTTP2 ? 1 : self == .urlSessionHTTP1 ? 500 : 6 }
    var front: NginxServer.Front {
      switch self {
      case .curlHTTP1, .urlSessionHTTP1: .http1
      case .curlHTTPS1: .https1
      case .curlHTTP2: .http2
      }
    }
    /// The front that ends each connection after 50 requests.
    var briefFront: NginxServer.Front {
      switch self {
      case .curlHTTP1, .urlSessionHTTP1: .briefHTTP1
      case .curlHTTPS1: .briefHTTPS1
      case .curlHTTP2: .briefHTTP2
      }
    }

    func fetcher(for server: NginxServer) -> any FutureImage.Fetcher {
      guard self != .urlSessionHTTP1 else { return FutureImage.URLSessionFetcher() }
      return FutureImage.CurlFetcher(
        FutureImage.CurlFetcher.Configuration(
          version: isHTTP2 ? .http2 : .http1, proxy: .none, certificateAuthorities: server.authority.authority))
    }
  }

  private static func makeLoader(
    _ fetcher: any FutureImage.Fetcher, perHost: Int = 6, change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    configuration.fetcher = fetcher
    configuration.diskCache = nil
    configuration.maxTransfers = 64
    configuration.maxTransfersPerHost = perHost
    change(&configuration)
    return FutureImage.Loader(configuration)
  }

  /// Loads all images, every tenth through a redirect, and returns a line for each wrong image.
  private func load(_ gallery: ImageFolder, _ loader: FutureImage.Loader, _ server: NginxServer, _ front: NginxServer.Front) async
    -> [String]
  {
    let futures = (0..<gallery.count).map { number in
      let url = server.url(ImageFolder.name(number), number % 10 == 9 ? .moved : nil, over: front)
      return FutureImage(at: url, cachePolicy: .modelOnly, loader: loader)
    }
    var wrong: [String] = []
    for (number, future) in futures.enumerated() {
      do {
        if !ImageFolder.isRight(try await future.value, number) { wrong.append("\(number) is another image") }
      } catch {
        wrong.append("\(number): \(error.reason) \(error.underlying.map { "\($0)" } ?? "")")
      }
    }
    return wrong
  }

  /// Expects one request for each image and each redirect, and at most one more request for each retry.
  private func expectRequests(_ server: NginxServer, _ gallery: ImageFolder, retries: Int, version: String) async {
    let count = gallery.count + gallery.count / 10
    await server.log.waitForRequests(count)
    // Because retries count as requests, this number may be reached early. So also wait until all paths have been requested.
    await server.log.waitForPaths(count)
    let requests = server.log.requests
    #expect((count...count + retries).contains(requests.count))
    #expect(Set(requests.map(\.path)).count == count)
    // A transfer whose connections ended too often falls back to HTTP/1.1.
    #expect(Set(requests.map(\.version)).subtracting(["HTTP/1.1"]) == Set([version]).subtracting(["HTTP/1.1"]))
    #expect(Set(requests.map(\.status)) == [200, 302])
  }

  @Test(arguments: Way.allCases)
  func `2,000 images arrive over a limited number of connections, with one request each`(way: Way) async throws {
    let gallery = try ImageFolder.shared.get()
    let server = try NginxServer(serving: gallery.folder)
    let loader = Self.makeLoader(way.fetcher(for: server), perHost: way.isHTTP2 ? 64 : 6)
    let wrong = await load(gallery, loader, server, way.front)
    try #require(wrong == [])
    await expectRequests(server, gallery, retries: 0, version: way.isHTTP2 ? "HTTP/2.0" : "HTTP/1.1")
    #expect(loader.statistics.requests == gallery.count + gallery.count / 10)
    #expect(loader.statistics.retries == 0)
    // The next request may open another connection while the fetcher reads the rest of a redirect's body.
    #expect(Set(server.log.requests.map(\.connection)).count <= way.connections)
  }

  @Test(arguments: Way.allCases)
  func `no image is lost if the server ends each connection after 50 requests`(way: Way) async throws {
    let gallery = try ImageFolder.shared.get()
    let server = try NginxServer(serving: gallery.folder)
    let reasons = Lock<[FutureImage.Failure.Reason]>([])
    let loader = Self.makeLoader(way.fetcher(for: server), perHost: way.isHTTP2 ? 64 : 6) {
      $0.onEvent = { _, event in
        if case .retrying(let failure, _) = event { reasons.withLock { $0.append(failure.reason) } }
      }
    }
    let wrong = await load(gallery, loader, server, way.briefFront)
    // If an image were missing, the wait for the server's requests would never end.
    try #require(wrong == [])
    let retries = loader.statistics.retries
    await expectRequests(server, gallery, retries: retries, version: way.isHTTP2 ? "HTTP/2.0" : "HTTP/1.1")
    // A server that closes an HTTP/2 connection may abort streams that it has begun. The loader requests their images again. The number of
    // these retries depends on how busy the machine is.
    let expected: [FutureImage.Failure.Reason] = way.isHTTP2 ? [.transport(.connectionLost), .transport(.truncated)] : []
    #expect(reasons.withLock { Set($0) }.subtracting(expected) == [])
    #expect(reasons.withLock { $0.count } == retries)
    #expect(loader.statistics.failures == 0)
  }

  @Test(arguments: Way.allCases)
  func `if an image is sent at a limited rate, its future reports progress and the image arrives`(way: Way) async throws {
    let gallery = try ImageFolder.shared.get()
    let server = try NginxServer(serving: gallery.folder)
    let loader = Self.makeLoader(way.fetcher(for: server))
    let future = FutureImage(at: server.url("noise.jpg", .slow, over: way.front), cachePolicy: .modelOnly, loader: loader)
    let phases = future.phases()
    let fractions = Task {
      await phases.reduce(into: Set<Double>()) { if case .loading(let fraction?) = $1 { $0.insert(fraction) } }
    }
    let image = try await future.value
    #expect(image.cgImage?.width == 400)
    #expect(await fractions.value.contains { $0 > 0 && $0 < 1 })
    await loader.waitForIdle()
    withExtendedLifetime(future) {}
    #expect(server.log.requests.count <= 1)
  }

  @Test(arguments: Way.allCases)
  func `images arrive if the server compresses them`(way: Way) async throws {
    let gallery = try ImageFolder.shared.get()
    let server = try NginxServer(serving: gallery.folder)
    let loader = Self.makeLoader(way.fetcher(for: server))
    let numbers = [0, 1, 50, 150, 1_999]
    for number in numbers {
      let url = server.url(ImageFolder.name(number), .gzip, over: way.front)
      #expect(ImageFolder.isRight(try await FutureImage(at: url, cachePolicy: .modelOnly, loader: loader).value, number))
    }
    await server.log.waitForRequests(numbers.count)
    #expect(server.log.requests.map(\.coding) == Array(repeating: "gzip", count: numbers.count))
  }

  @Test(arguments: Way.allCases)
  func `an image on disk is confirmed with 304 and not sent again`(way: Way) async throws {
    let gallery = try ImageFolder.shared.get()
    let server = try NginxServer(serving: gallery.folder)
    let disk = FutureImage.DiskCache.temporary()
    let loader = Self.makeLoader(way.fetcher(for: server)) { $0.diskCache = disk }
    let future = FutureImage(at: server.url(ImageFolder.name(50), over: way.front), loader: loader)
    _ = try await future.value
    await loader.waitForIdle()
    future.reload()
    await server.log.waitForRequests(2)
    await loader.waitForIdle()
    #expect(server.log.requests.map(\.status) == [200, 304])
    #expect(server.log.requests.last?.bodyBytes == 0)
    #expect(ImageFolder.isRight(try await future.value, 50))
  }

  @Test(arguments: Way.allCases)
  func `a fetcher receives the requested range of an image`(way: Way) async throws {
    let gallery = try ImageFolder.shared.get()
    let server = try NginxServer(serving: gallery.folder)
    let body = try ImageFolder.body(50)
    let request = FutureImage.Request(url: server.url(ImageFolder.name(50), over: way.front), headers: ["Range": "bytes=100-"])
    let collected = try await way.fetcher(for: server).collect(request)
    #expect(collected.response?.status == 206)
    #expect(collected.response?.headers["content-range"] == "bytes 100-\(body.count - 1)/\(body.count)")
    #expect(collected.body == body.dropFirst(100))
    await server.log.waitForRequests(1)
    #expect(server.log.requests.map(\.range) == ["bytes=100-"])
  }
}
#endif
