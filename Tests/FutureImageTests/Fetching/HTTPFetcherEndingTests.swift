import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// Exchanges that the client ends, by cancellation or by an error of the receiving closure.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HTTPFetcherEndingTests {
  private struct Enough: Error {}

  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  @Test(arguments: HTTPBackend.all)
  func `a task that is already canceled sends nothing`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data([1])))
    let url = server.url("/a")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await backend.makeFetcher().collect(url)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requestCount() == 0)
  }

  @Test(arguments: HTTPBackend.all)
  func `cancellation ends an exchange that waits for its response`(backend: HTTPBackend) async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/a", .ok(Data([1])).held(by: gate))
    let fetcher = backend.makeFetcher()
    let url = server.url("/a")
    let task = Task { try await fetcher.collect(url) }
    await gate.waitForArrival()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.waitForOpenConnections(0)
  }

  @Test(arguments: HTTPBackend.all)
  func `cancellation ends an exchange during its body`(backend: HTTPBackend) async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/a", .ok(Data.pattern(10_000)).heldBody(after: 4000, by: gate))
    let fetcher = backend.makeFetcher()
    let request = FutureImage.Request(url: server.url("/a"))
    let hasBegun = Signal()
    let task = Task {
      try await fetcher.fetch(request) { event in
        if case .bytes = event { hasBegun.send() }
      }
    }
    await hasBegun.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.waitForOpenConnections(0)
  }

  @Test(arguments: HTTPBackend.all)
  func `canceling one exchange does not affect other exchanges`(backend: HTTPBackend) async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/a", .ok(Data([1])).held(by: gate))
    let fetcher = backend.makeFetcher()
    let url = server.url("/a")
    let tasks = (0..<4).map { _ in Task { try await fetcher.collect(url).body } }
    await gate.waitForArrival(count: 4)
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    gate.open()
    for index in [0, 2, 3] { #expect(try await tasks[index].value == Data([1])) }
  }

  @Test(arguments: HTTPBackend.all)
  func `cancellation at any moment ends a fetch, and no event follows`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data.pattern(40_000)).chunked(4000))
    let fetcher = backend.makeFetcher()
    let request = FutureImage.Request(url: server.url("/a"))
    let lateCallCount = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let hasEnded = Lock(false)
          let hasResponse = Signal()
          let task = Task {
            defer {
              hasEnded.withLock { $0 = true }
              hasResponse.send()
            }
            try await fetcher.fetch(request) { _ in
              if hasEnded.withLock({ $0 }) { lateCallCount.withLock { $0 += 1 } }
              hasResponse.send()
            }
          }
          if index % 2 == 0 { await hasResponse.wait() }
          task.cancel()
          do { try await task.value } catch { #expect(error is CancellationError) }
        }
      }
    }
    #expect(lateCallCount.withLock { $0 } == 0)
    #expect(try await fetcher.collect(request).body.count == 40_000)
  }

  @Test(arguments: HTTPBackend.all)
  func `if the receiver throws an error for the response, the exchange ends and rethrows the error`(backend: HTTPBackend) async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/a", .ok(Data.pattern(10_000)).heldBody(after: 100, by: gate))
    let events = Lock(0)
    await #expect(throws: Enough.self) {
      try await backend.makeFetcher().fetch(FutureImage.Request(url: server.url("/a"))) { _ in
        events.withLock { $0 += 1 }
        throw Enough()
      }
    }
    #expect(events.withLock { $0 } == 1)
    await server.waitForOpenConnections(0)
  }

  @Test(arguments: HTTPBackend.all)
  func `if the receiver throws an error for bytes of the body, the exchange ends and rethrows the error`(backend: HTTPBackend) async throws
  {
    let gate = LoopbackServer.Gate()
    server.answer("/a", .ok(Data.pattern(100_000)).heldBody(after: 60_000, by: gate))
    let received = Lock(0)
    await #expect(throws: Enough.self) {
      try await backend.makeFetcher().fetch(FutureImage.Request(url: server.url("/a"))) { event in
        guard case .bytes(let data) = event else { return }
        received.withLock { $0 += data.count }
        throw Enough()
      }
    }
    #expect((1...60_000).contains(received.withLock { $0 }))
    await server.waitForOpenConnections(0)
  }

  @Test(arguments: HTTPBackend.all)
  func `a released fetcher closes its connections`(backend: HTTPBackend) async throws {
    server.answer("/a", .ok(Data([1])))
    do {
      let fetcher = backend.makeFetcher()
      _ = try await fetcher.collect(server.url("/a"))
      #expect(server.openConnections == 1)
    }
    await server.waitForOpenConnections(0)
  }
}
