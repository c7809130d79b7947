#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The handle and the connections that one exchange reuses from another.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlHandleTests {
  private struct Enough: Error {}
  private final class Receiver: Sendable {}

  private let server: LoopbackServer
  private let fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none))

  init() throws {
    server = try LoopbackServer()
  }

  @Test func `the closure that receives an exchange's events is released with the exchange`() async throws {
    server.answer("/a", .ok(Data([1])))
    weak var weakReceiver: Receiver?
    do {
      let receiver = Receiver()
      weakReceiver = receiver
      try await fetcher.fetch(FutureImage.Request(url: server.url("/a"))) { [receiver] _ in withExtendedLifetime(receiver) {} }
    }
    // The fetcher's thread may retain the closure until the thread runs its next task.
    while weakReceiver != nil { await fetcher.makeTask(.medium) {}.value }
  }

  @Test func `an exchange on a reused handle receives all of its compressed content if the content arrives in parts`() async throws {
    let content = Data.pattern(200_000)
    let gate = LoopbackServer.Gate()
    let answer = LoopbackServer.Answer.ok(Gzip.stored(content), headers: ["Content-Encoding": "gzip"])
    server.answer("/a", answer, answer.heldBody(after: 3_000, by: gate))
    #expect(try await fetcher.collect(server.url("/a")).body == content)
    let received = Lock(Data())
    try await fetcher.fetch(FutureImage.Request(url: server.url("/a"))) { event in
      guard case .bytes(let data) = event else { return }
      let count = received.withLock { received in
        received += data
        return received.count
      }
      if count > 2_000 { gate.open() }
    }
    #expect(received.withLock { $0 } == content)
  }

  @Test func `an exchange that is canceled as it ends does not affect the next exchange`() async throws {
    let gate = LoopbackServer.Gate()
    server.answer("/first", .ok(Data([1])).held(by: gate))
    server.answer("/next", .ok(Data([2])))
    let (fetcher, request) = (fetcher, FutureImage.Request(url: server.url("/first")))
    let task = LockedValue<Task<Void, any Error>>()
    task.value = Task {
      // The event has the only byte, which completes the response.
      try await fetcher.fetch(request) { event in if case .bytes = event { task.value?.cancel() } }
    }
    await gate.waitForArrival()
    gate.open()
    _ = await task.value?.result
    for _ in 0..<2 { #expect(try await fetcher.collect(server.url("/next")).body == Data([2])) }
    #expect(server.connectionCount == 1)
  }

  @Test func `if the receiver throws an error when only one byte has arrived, the exchange ends`() async throws {
    server.answer("/a", .ok(Data.pattern(10)).heldBody(after: 1, by: LoopbackServer.Gate()))
    let request = FutureImage.Request(url: server.url("/a"))
    await #expect(throws: Enough.self) {
      try await fetcher.fetch(request) { event in if case .bytes = event { throw Enough() } }
    }
  }

  @Test func `the connections of many concurrent exchanges stay open for later exchanges`() async throws {
    let fetcher = fetcher
    let gates = (0..<20).map { _ in LoopbackServer.Gate() }
    for (index, gate) in gates.enumerated() { server.answer("/\(index)", .ok(Data([1])).held(by: gate)) }
    let urls = gates.indices.map { server.url("/\($0)") }
    let first = urls.map { url in Task { try await fetcher.collect(url).body } }
    // The exchanges end one after the other. By default, libcurl keeps at most four connections for each exchange that still runs, so it
    // would close most of these connections.
    for (gate, task) in zip(gates, first) {
      await gate.waitForArrival()
      gate.open()
      #expect(try await task.value == Data([1]))
    }

    let last = LoopbackServer.Gate()
    server.answer("/last", .ok(Data([2])).held(by: last))
    let url = server.url("/last")
    let second = gates.map { _ in Task { try await fetcher.collect(url).body } }
    await last.waitForArrival(count: 20)
    last.open()
    for task in second { #expect(try await task.value == Data([2])) }
    #expect(server.connectionCount == 20)
  }

  @Test func `an idle connection is closed if a connection to another host would exceed the limit`() async throws {
    let other = try LoopbackServer()
    let gate = LoopbackServer.Gate()
    server.answer("/a", .ok(Data([1])))
    other.answer("/held", .ok(Data([2])).held(by: gate))
    let fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(maxConnections: 1, proxy: .none))
    #expect(try await fetcher.collect(server.url("/a")).body == Data([1]))
    let held = other.url("/held")
    let task = Task { try await fetcher.collect(held).body }
    await gate.waitForArrival()
    await server.waitForOpenConnections(0)
    gate.open()
    #expect(try await task.value == Data([2]))
  }
}
#endif
