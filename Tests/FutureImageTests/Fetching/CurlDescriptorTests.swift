#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Exchanges in a program that has few free file descriptors, or none.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlDescriptorTests {
  /// Closes the sockets that an exit test has inherited from tests that run at the same time, such as those of URLSession.
  static func closeInheritedSockets() {
    for descriptor in Int32(3)..<1_024 {
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { close(descriptor) }
    }
  }

  /// Limits the number of descriptors at the beginning of an exit test. Closes the inherited sockets first, because they would use up the
  /// numbers below the limit.
  static func limitDescriptors(_ count: Int) throws {
    closeInheritedSockets()
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: 1_024)
    try #require(setrlimit(__rlimit_resource_t(7), &limit) == 0)  // RLIMIT_NOFILE
  }

  /// Opens descriptors until the calling thread has no free descriptor, and returns them.
  @discardableResult
  static func takeDescriptors() -> [Int32] {
    var taken: [Int32] = []
    while case let descriptor = open("/", O_RDONLY | O_CLOEXEC), descriptor >= 0 { taken.append(descriptor) }
    return taken
  }

  @Test func `a program that is started while images load does not inherit the fetcher's connections`() async throws {
    await #expect(processExitsWith: .success) {
      CurlDescriptorTests.closeInheritedSockets()
      let server = try LoopbackServer { _ in .ok(Data([1])) }
      let fetcher = FutureImage.CurlFetcher(.init(proxy: .none))
      _ = try await fetcher.collect(server.url("/a"))
      var inherited = 0, count = 0
      for descriptor in Int32(3)..<1_024 {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isConnected = withUnsafeMutableBytes(of: &address) { bytes in
          // The call accepts a pointer to a `sockaddr_in` as a pointer to a `sockaddr`, and writes no more than the given size.
          getpeername(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size) == 0
        }
        guard isConnected, address.sin_family == sa_family_t(AF_INET) else { continue }
        count += 1
        if fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 { inherited += 1 }
      }
      guard count >= 1, inherited == 0 else { exit(1) }
    }
  }

  @Test func `64 descriptors are enough to fetch from 1,000 hosts`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let port = try #require(server.baseURL.port)
    await #expect(processExitsWith: .success) { [port = port as Int] in
      try CurlDescriptorTests.limitDescriptors(64)
      let fetcher = FutureImage.CurlFetcher(.init(proxy: .none))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<1_000 {
          group.addTask {
            // Names that end in "localhost" belong to this computer. libcurl treats each name as a separate host.
            let url = try #require(URL(string: "http://h\(number).localhost:\(port)/a"))
            guard try await fetcher.collect(url).body == Data([1]) else { throw URLError(.cannotParseResponse) }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// Gives the calling thread its own table of descriptors. Returns false if the system forbids it, as some containers do.
  ///
  /// The other threads need free descriptors, because libdispatch inspects the threads once per second, and ends the program if it cannot
  /// open a descriptor.
  @discardableResult
  static func leaveTable() -> Bool {
    guard let symbol = dlsym(nil, "unshare") else { return false }
    // 0x400 is CLONE_FILES, Linux's flag for the table of descriptors.
    return unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)(0x400) == 0
  }

  private static let mayLeaveTable: Bool = {
    let mayLeave = LockedValue<Bool>()
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      mayLeave.value = leaveTable()
      isDone.signal()
    }
    isDone.wait()
    return mayLeave.value ?? false
  }()

  @Test(.enabled(if: mayLeaveTable, "the system does not give a thread its own table of descriptors"))
  func `eight free descriptors are enough for another connection, and seven are too few`() async throws {
    await #expect(processExitsWith: .success) {
      try CurlDescriptorTests.limitDescriptors(64)
      let areExhausted = LockedValue<[Bool]>()
      let isDone = Signal()
      Thread.detachNewThread {
        CurlDescriptorTests.leaveTable()
        let taken = CurlDescriptorTests.takeDescriptors()
        for descriptor in taken.suffix(8) { close(descriptor) }
        let areExhaustedWithEight = Descriptors.areExhausted
        CurlDescriptorTests.takeDescriptors()
        for descriptor in taken.suffix(7) { close(descriptor) }
        areExhausted.value = [areExhaustedWithEight, Descriptors.areExhausted]
        isDone.send()
      }
      await isDone.wait()
      guard areExhausted.value == [false, true] else { exit(1) }
    }
  }

  // When an exchange has ended, its connection is free. A waiting exchange with the same server reuses this connection. For a waiting
  // exchange with another server, the fetcher first closes the free connection.
  @Test(.enabled(if: mayLeaveTable, "the system does not give a thread its own table of descriptors"), arguments: [false, true])
  func `if no descriptor is free, an exchange waits until another exchange ends`(isElsewhere: Bool) async throws {
    await #expect(processExitsWith: .success) { [isElsewhere = isElsewhere as Bool] in
      try CurlDescriptorTests.limitDescriptors(64)
      let clock = ManualClock()
      let fetcher = FutureImage.CurlFetcher(.init(proxy: .none), clock: RunningClock(clock))
      await fetcher.makeTask(.medium) { CurlDescriptorTests.leaveTable() }.value
      let server = try LoopbackServer()
      let lateServer = isElsewhere ? try LoopbackServer() : server
      let (first, others) = (LoopbackServer.Gate(), LoopbackServer.Gate())
      server.answer("/first", .ok(Data([1])).held(by: first))
      server.answer("/others", .ok(Data([2])).held(by: others))
      lateServer.answer("/late", .ok(Data([3])))
      // The server holds these exchanges, so that no connection is idle.
      let held = ["/first", "/others", "/others", "/others"].map { Exchange(server.url($0), fetcher) }
      await first.waitForArrival()
      await others.waitForArrival(count: 3)
      await fetcher.makeTask(.medium) { CurlDescriptorTests.takeDescriptors() }.value

      let late = Exchange(lateServer.url("/late"), fetcher)
      // This exchange has a short timeout, and the fetcher's thread starts it after the late exchange. So when it has failed, the fetcher
      // has also tried to start the late exchange.
      let hasty = Exchange(lateServer.url("/late"), fetcher, timeout: .seconds(5))
      await fetcher.passTime(clock, untilEndOf: hasty)
      guard case .failure(.transport(.other(let text))) = hasty.outcome, text.contains("file descriptor") else { _exit(4) }
      guard late.outcome == nil, lateServer.requestCount("/late") == 0 else { _exit(5) }

      first.open()
      // The late exchange continues at some time after this response.
      _ = try await within(.seconds(60)) { await late.end() }
      guard late.outcome == .body(Data([3])) else { _exit(6) }
      others.open()
      for exchange in held { await exchange.end() }
      guard held.map(\.outcome) == [1, 2, 2, 2].map({ .body(Data([$0])) }) else { _exit(7) }
    }
  }

  @Test(.enabled(if: mayLeaveTable, "the system does not give a thread its own table of descriptors"))
  func `if no descriptor is free, an exchange continues when the program has closed other descriptors`() async throws {
    await #expect(processExitsWith: .success) {
      try CurlDescriptorTests.limitDescriptors(64)
      let clock = ManualClock()
      let fetcher = FutureImage.CurlFetcher(.init(proxy: .none), clock: RunningClock(clock))
      await fetcher.makeTask(.medium) { CurlDescriptorTests.leaveTable() }.value
      let (server, gate) = (try LoopbackServer(), LoopbackServer.Gate())
      server.answer("/held", .ok(Data([1])).held(by: gate))
      server.answer("/late", .ok(Data([2])))
      let held = Exchange(server.url("/held"), fetcher)
      await gate.waitForArrival()
      let (mayClose, haveClosed) = (DispatchSemaphore(value: 0), Signal())
      await fetcher.makeTask(.medium) {
        let taken = CurlDescriptorTests.takeDescriptors()
        // Another thread with the same table closes the descriptors. Nothing notifies the fetcher's thread, which must check by itself.
        Thread.detachNewThread {
          mayClose.wait()
          for descriptor in taken { close(descriptor) }
          haveClosed.send()
        }
      }.value

      let late = Exchange(server.url("/late"), fetcher)
      // This exchange has a short timeout, and the fetcher's thread starts it after the late exchange. So when it has failed, the fetcher
      // has also tried to start the late exchange.
      let hasty = Exchange(server.url("/late"), fetcher, timeout: .seconds(5))
      await fetcher.passTime(clock, untilEndOf: hasty)
      guard case .failure(.transport(.other(let text))) = hasty.outcome, text.contains("file descriptor") else { _exit(4) }
      guard late.outcome == nil, server.requestCount("/late") == 0 else { _exit(5) }

      mayClose.signal()
      await haveClosed.wait()
      // The late exchange may have to wait for its next try. Perhaps this try is not due yet, or an earlier try has failed while the other
      // thread was closing the descriptors. So the clock advances until the request arrives.
      for _ in 0..<100 where server.requestCount("/late") == 0 {
        await fetcher.makeTask(.medium) {}.value
        clock.advance(by: .milliseconds(100))
      }
      _ = try await within(.seconds(60)) { await late.end() }
      guard late.outcome == .body(Data([2])), held.outcome == nil else { _exit(6) }
      gate.open()
      await held.end()
      guard held.outcome == .body(Data([1])) else { _exit(7) }
    }
  }

  @Test(.enabled(if: mayLeaveTable, "the system does not give a thread its own table of descriptors"))
  func `if two exchanges lack a descriptor, the exchange with the earlier deadline continues first`() async throws {
    await #expect(processExitsWith: .success) {
      try CurlDescriptorTests.limitDescriptors(64)
      let clock = ManualClock()
      let fetcher = FutureImage.CurlFetcher(.init(proxy: .none), clock: RunningClock(clock))
      await fetcher.makeTask(.medium) { CurlDescriptorTests.leaveTable() }.value
      let (server, gate) = (try LoopbackServer { _ in .ok(Data([1])) }, LoopbackServer.Gate())
      server.answer("/held", .ok(Data([1])).held(by: gate))
      let held = Exchange(server.url("/held"), fetcher)
      await gate.waitForArrival()
      await fetcher.makeTask(.medium) { CurlDescriptorTests.takeDescriptors() }.value

      let waiting = [("/second", 900), ("/first", 600)].map { Exchange(server.url($0), fetcher, timeout: .seconds($1)) }
      let hasty = Exchange(server.url("/hasty"), fetcher, timeout: .seconds(5))
      await fetcher.passTime(clock, untilEndOf: hasty)
      gate.open()
      for exchange in waiting + [held] { await exchange.end() }
      guard server.requests.map(\.path) == ["/held", "/first", "/second"] else { _exit(4) }
    }
  }

  @Test(.enabled(if: mayLeaveTable, "the system does not give a thread its own table of descriptors"))
  func `if a file cannot be opened because no descriptor is free, the failure is temporary`() async throws {
    await #expect(processExitsWith: .success) {
      try CurlDescriptorTests.limitDescriptors(64)
      let (failure, isDone) = (LockedValue<FutureImage.Failure>(), Signal())
      Thread.detachNewThread {
        CurlDescriptorTests.leaveTable()
        CurlDescriptorTests.takeDescriptors()
        do { _ = try ReadableFile("/proc/self/exe") } catch { failure.value = error as? FutureImage.Failure }
        isDone.send()
      }
      await isDone.wait()
      guard failure.value?.isTransient == true else { exit(1) }
    }
  }

  @Test(.enabled(if: mayLeaveTable, "the system does not give a thread its own table of descriptors"))
  func `a fetcher's thread polls for work if it has no descriptor for its wake-ups`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let address = server.url("/a").absoluteString
    await #expect(processExitsWith: .success) { [address = address as String] in
      let url = try #require(URL(string: address))
      try CurlDescriptorTests.limitDescriptors(64)
      let engine = CurlEngine(.init(proxy: .none))
      // The descriptor for wake-ups is created with the engine's thread, which has the table of the thread that starts it.
      let (start, taken) = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          CurlDescriptorTests.leaveTable()
          let taken = CurlDescriptorTests.takeDescriptors()
          continuation.resume(returning: (Task(executorPreference: engine) {}, taken))
        }
      }
      await start.value
      await Task(executorPreference: engine) { for descriptor in taken { close(descriptor) } }.value
      for _ in 0..<3 {
        try await engine.run(CurlExchange(FutureImage.Request(url: url), lines: []), receive: { _ in })
      }
    }
  }
}

/// An exchange on a fetcher's own thread. Exchanges start in the order in which they are initialized.
private final class Exchange: Sendable {
  enum Outcome: Equatable {
    case body(Data), failure(FutureImage.Failure.Reason)
  }

  private let kept: LockedValue<Outcome>
  private let task: Task<Void, Never>

  init(_ url: URL, _ fetcher: FutureImage.CurlFetcher, timeout: Duration = .seconds(600)) {
    let request = FutureImage.Request(url: url, timeout: timeout, stallTimeout: timeout)
    kept = LockedValue<Outcome>()
    task = fetcher.makeTask(.medium) { [kept] in
      do {
        kept.value = .body(try await fetcher.collect(request).body)
      } catch {
        kept.value = .failure((error as? FutureImage.Failure)?.reason ?? .cancelled)
      }
    }
  }

  /// The outcome, or nil until the exchange has ended.
  var outcome: Outcome? { kept.value }

  func end() async { await task.value }
}

extension FutureImage.CurlFetcher {
  /// Advances the clock by up to a minute, a tenth of a second at a time. Before each advance, the fetcher's thread starts the work that
  /// was requested earlier. Returns when the exchange has ended.
  ///
  /// The hasty exchange has a deadline of 5 seconds. The minute is much longer, because a busy machine may report the end of this exchange
  /// late. The deadlines of the other exchanges are 10 minutes or more, so none of them ends here.
  fileprivate func passTime(_ clock: ManualClock, untilEndOf exchange: Exchange) async {
    for _ in 0..<600 where exchange.outcome == nil {
      await makeTask(.medium) {}.value
      clock.advance(by: .milliseconds(100))
    }
    await exchange.end()
  }
}
#endif
