#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tasks that run on the thread of a ``FutureImage/CurlFetcher``.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlTaskTests {
  private let engine = CurlEngine(FutureImage.CurlFetcher.Configuration(proxy: .none))
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  private static var isOnThread: Bool { Thread.current.name == "FutureImage" }

  @Test func `a task starts on the fetcher's thread and returns to it after every exchange`() async throws {
    server.answer("/a", .ok(Data([1])))
    let fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none))
    let places = Lock<[Bool]>([])
    let url = server.url("/a")
    await fetcher.makeTask(.medium) {
      places.withLock { $0.append(Self.isOnThread) }
      for _ in 0..<3 {
        _ = try? await fetcher.collect(url)
        places.withLock { $0.append(Self.isOnThread) }
      }
    }.value
    #expect(places.withLock { $0 } == [true, true, true, true])
    #expect(server.requestCount() == 3)
  }

  @Test func `when the engine closes, tasks that have not started run on another thread`() async {
    let (isHeld, mayGoOn) = (Signal(), DispatchSemaphore(value: 0))
    let first = Task(executorPreference: engine) {
      isHeld.send()
      Self.wait(for: mayGoOn)
      return Self.isOnThread
    }
    await isHeld.wait()
    let others = (0..<3).map { _ in Task(executorPreference: engine) { Self.isOnThread } }
    engine.close()
    mayGoOn.signal()
    #expect(await first.value)
    for other in others { #expect(await other.value == false) }
    #expect(await Task(executorPreference: engine) { Self.isOnThread }.value == false)
  }

  // The compiler rejects a wait for a semaphore in a task, but not in a function that the task calls.
  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test func `a fetcher ends its thread when a task releases the last reference to the fetcher`() async throws {
    server.answer("/a", .ok(Data([1])))
    let url = server.url("/a")
    weak var weakFetcher: FutureImage.CurlFetcher?
    do {
      let fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none))
      weakFetcher = fetcher
      let task = fetcher.makeTask(.medium) { [fetcher] in _ = try? await fetcher.collect(url) }
      await task.value
    }
    await waitWhile(weakFetcher != nil)
    await server.waitForOpenConnections(0)
  }

  @Test func `only the arrival of an HTTP image is reported on the fetcher's thread, and sources' closures run on other threads`()
    async throws
  {
    let places = Lock<[String: Bool]>([:])
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none))
    configuration.onEvent = { key, event in
      if case .fetched = event { places.withLock { $0[key] = Self.isOnThread } }
    }
    let loader = FutureImage.Loader(configuration)
    server.answer("/a", .ok(SampleImage.jpeg(40, 30)))
    let called = Lock<Bool?>(nil)
    let own = FutureImage.Source.url(server.url("/a"), key: "own") {
      called.withLock { $0 = Self.isOnThread }
      return [:]
    }
    let data = FutureImage.Source.data(key: "data") {
      let here = Self.isOnThread
      places.withLock { $0["closure"] = here }
      return SampleImage.jpeg(40, 30)
    }
    let futures = [
      FutureImage(at: server.url("/a"), loader: loader), FutureImage(own, loader: loader), FutureImage(data, loader: loader)
    ]
    let inline = try #require(URL(string: "data:image/jpeg;base64," + SampleImage.jpeg(40, 30).base64EncodedString()))
    _ = try await FutureImage(at: inline, loader: loader).value
    #expect(places.withLock { $0[FutureImage.Source.url(inline).key] } == false)
    for future in futures { _ = try await future.value }
    #expect(places.withLock { $0[FutureImage.Source.url(server.url("/a")).key] } == true)
    #expect(places.withLock { $0["closure"] } == false)
    #expect(called.withLock { $0 } == false)
  }

  @Test func `the app's prepareRequest closure does not run on the fetcher's thread`() async throws {
    server.answer("/a", .ok(SampleImage.jpeg(40, 30)))
    let called = Lock<Bool?>(nil)
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none))
    configuration.prepareRequest = { request in
      called.withLock { $0 = Self.isOnThread }
      return request
    }
    _ = try await FutureImage(at: server.url("/a"), loader: FutureImage.Loader(configuration)).value
    #expect(called.withLock { $0 } == false)
  }
}
#endif
