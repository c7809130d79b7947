#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

/// Exchanges with a server that supports only HTTP/2, so that the fetcher cannot use HTTP/1.1 instead.
@Suite(
  .tags(.threads), .timeLimit(.minutes(5)),
  .enabled(if: HTTP2Server.isInstalled, "python3 and openssl are not installed (python3, openssl)"))
struct CurlFetcherOnlyHTTP2Tests {
  private static let picture = SampleImage.jpeg()

  private func makeLoader(_ server: HTTP2Server) -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.fetcher = FutureImage.CurlFetcher(
      FutureImage.CurlFetcher.Configuration(proxy: .none, certificateAuthorities: server.authority.authority))
    configuration.maxTransfersPerHost = 64
    configuration.clock = PassingClock()
    return FutureImage.Loader(configuration)
  }

  /// Loads this number of images, and returns a line for each image that fails.
  private func load(_ count: Int, from server: HTTP2Server, _ loader: FutureImage.Loader) async -> [String] {
    let futures = (0..<count).map { FutureImage(at: server.url.appending(path: "\($0).jpg"), cachePolicy: .modelOnly, loader: loader) }
    var failures: [String] = []
    for future in futures {
      do { _ = try await future.value } catch { failures.append("\(error.reason) \(error.underlying.map { "\($0)" } ?? "")") }
    }
    return failures
  }

  @Test func `images from a server that supports only HTTP/2 arrive over one connection`() async throws {
    let server = try HTTP2Server { connection in
      while let stream = connection.readRequest() { connection.answer(stream, Self.picture) }
    }
    #expect(await load(20, from: server, makeLoader(server)) == [])
    #expect(server.connectionCount == 1)
  }

  /// RFC 9113, section 6.8: requests on streams above the last stream that the server has handled may be sent again.
  @Test(arguments: [1, 3, 5], [true, false])
  func `no image is lost if the server ends each connection after a few requests`(requests: Int, isClosedAtOnce: Bool) async throws {
    let server = try HTTP2Server { connection in
      for number in 1...requests {
        guard let stream = connection.readRequest() else { return }
        connection.answer(stream, Self.picture)
        if number == requests { connection.send(.goAway(lastStream: stream)) }
      }
      // Reads and ignores further requests until the client closes the connection.
      if !isClosedAtOnce { while connection.readRequest() != nil {} }
    }
    #expect(await load(20, from: server, makeLoader(server)) == [])
  }

  @Test(arguments: [70, 2_000])
  func `if a response has too many bytes of header fields, the image fails and is requested at most twice`(kilobytes: Int) async throws {
    let requests = Lock(0)
    let server = try HTTP2Server { connection in
      while let stream = connection.readRequest() {
        requests.withLock { $0 += 1 }
        let fields = (0..<kilobytes).map { (name: "x-\($0)", value: String(repeating: "a", count: 1_000)) }
        connection.answer(stream, Self.picture, fields: fields)
      }
    }
    let failures = await load(1, from: server, makeLoader(server))
    #expect(failures.count == 1)
    #expect(failures.first?.contains("its header fields have more than the 65536 bytes allowed") == true)
    #expect(requests.withLock { $0 } <= 2)
  }
}
#endif
