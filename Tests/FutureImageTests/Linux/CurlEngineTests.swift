#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The queue in front of a fetcher's thread, and the thread itself.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlEngineTests {
  private let engine = CurlEngine(FutureImage.CurlFetcher.Configuration(proxy: .none))
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  /// Keeps the engine's thread busy until the semaphore is signaled.
  private func hold(until mayGoOn: DispatchSemaphore) async -> Task<Void, Never> {
    let isHeld = Signal()
    let task = Task(executorPreference: engine) {
      isHeld.send()
      Self.wait(for: mayGoOn)
    }
    await isHeld.wait()
    return task
  }

  // The compiler rejects a wait for a semaphore in a task, but not in a function that the task calls.
  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  private static var thread: UInt { UInt(pthread_self()) }

  private static var blocksSIGPIPE: Bool {
    var signals = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &signals)
    return sigismember(&signals, SIGPIPE) == 1
  }

  @Test func `the thread waits only while there is no work for it`() async throws {
    let (engine, mayGoOn) = (engine, DispatchSemaphore(value: 0))
    let holding = await hold(until: mayGoOn)
    #expect(engine.mayWait(room: 0))
    #expect(engine.mayWait(room: 1))

    let exchange = CurlExchange(FutureImage.Request(url: server.url("/a")), lines: [])
    let waiting = Task { try await engine.run(exchange, receive: { _ in }) }
    await waitWhile(engine.mayWait(room: 1))
    // Without room, the exchange waits for the end of another exchange.
    #expect(engine.mayWait(room: 0))

    let job = Task(executorPreference: engine) {}
    #expect(!engine.mayWait(room: 0))
    engine.close()
    #expect(!engine.mayWait(room: 0))
    mayGoOn.signal()
    await holding.value
    await job.value
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `all tasks run on one thread, which the engine recognizes`() async {
    let engine = engine
    #expect(!engine.isOnThread)
    var threads: Set<UInt> = []
    for _ in 0..<20 {
      let (isOnThread, thread) = await Task(executorPreference: engine) { (engine.isOnThread, Self.thread) }.value
      #expect(isOnThread)
      threads.insert(thread)
    }
    #expect(threads.count == 1)
    #expect(!engine.isOnThread)
    engine.close()
  }

  @Test func `waiting tasks run by priority, and tasks of one priority run in the order in which they were enqueued`() async {
    let (engine, mayGoOn) = (engine, DispatchSemaphore(value: 0))
    let holding = await hold(until: mayGoOn)
    let (order, areDone) = (Lock<[Int]>([]), Signal())
    for (index, priority) in [TaskPriority.low, .high, .medium, .high, .low].enumerated() {
      Task.detached(executorPreference: engine, priority: priority) {
        let count = order.withLock { order in
          order.append(index)
          return order.count
        }
        if count == 5 { areDone.send() }
      }
    }
    mayGoOn.signal()
    // Waiting for the tasks themselves would raise their priority.
    await areDone.wait()
    #expect(order.withLock { $0 } == [1, 3, 2, 0, 4])
    await holding.value
    engine.close()
  }

  @Test func `the fetcher's thread blocks the signal SIGPIPE, whichever thread starts the fetcher's thread`() async {
    let engine = engine
    let task = await withCheckedContinuation { (continuation: CheckedContinuation<Task<Bool, Never>, Never>) in
      Thread.detachNewThread {
        // A new thread inherits the blocked signals of the thread that starts it. Here, these are none.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        continuation.resume(returning: Task(executorPreference: engine) { Self.blocksSIGPIPE })
      }
    }
    #expect(await task.value)
    engine.close()
  }

  @Test func `an exchange whose task is already canceled starts no thread`() async throws {
    weak var weakReference: CurlEngine?
    do {
      let engine = CurlEngine(FutureImage.CurlFetcher.Configuration(proxy: .none))
      weakReference = engine
      let exchange = CurlExchange(FutureImage.Request(url: server.url("/a")), lines: [])
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await engine.run(exchange, receive: { _ in })
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    // A thread would retain its engine until the engine is closed.
    await waitWhile(weakReference != nil)
  }

  @Test func `an engine is released when its thread has ended`() async throws {
    server.answer("/a", .ok(Data([1])))
    weak var weakReference: CurlEngine?
    do {
      let engine = CurlEngine(FutureImage.CurlFetcher.Configuration(proxy: .none))
      weakReference = engine
      try await engine.run(CurlExchange(FutureImage.Request(url: server.url("/a")), lines: []), receive: { _ in })
      engine.close()
    }
    await waitWhile(weakReference != nil)
  }

  @Test func `if libcurl does not accept an exchange, the exchange fails, is released, and does not prevent the next exchange`()
    async throws
  {
    server.answer("/a", .ok(Data([1])))
    let (engine, url) = (engine, server.url("/" + String(repeating: "a", count: 9_000_000)))
    weak var weakReference: CurlExchange?
    do {
      let exchange = CurlExchange(FutureImage.Request(url: url), lines: [])
      weakReference = exchange
      let failure = await #expect(throws: FutureImage.Failure.self) { try await engine.run(exchange, receive: { _ in }) }
      #expect(failure?.reason == .refused("libcurl does not accept its URL or its header fields; check them"))
    }
    // The thread may retain the exchange until the thread runs its next task.
    while weakReference != nil { await Task(executorPreference: engine) {}.value }
    try await engine.run(CurlExchange(FutureImage.Request(url: server.url("/a")), lines: []), receive: { _ in })
    #expect(server.requestCount() == 1)
    engine.close()
  }

  @Test func `connections use at most an eighth of the process's descriptors`() {
    var limit = rlimit()
    #expect(getrlimit(__rlimit_resource_t(7), &limit) == 0)  // RLIMIT_NOFILE
    #expect(Descriptors.connectionLimit == max(1, Int(clamping: limit.rlim_cur) / 8))
  }

  /// Sets the size of the stacks of new threads. A thread cannot be started if its stack is larger than the address space.
  /// - Returns: the former size.
  static func setStackSize(_ size: Int) throws -> Int {
    // The headers declare these two functions only for programs that enable GNU's extensions.
    let (read, write) = (try #require(dlsym(nil, "pthread_getattr_default_np")), try #require(dlsym(nil, "pthread_setattr_default_np")))
    // By their manual page, both functions have the type int f(pthread_attr_t *).
    typealias Call = @convention(c) (UnsafeMutablePointer<pthread_attr_t>) -> Int32
    var attributes = pthread_attr_t()
    var former = 0
    try #require(unsafeBitCast(read, to: Call.self)(&attributes) == 0)
    try #require(pthread_attr_getstacksize(&attributes, &former) == 0)
    try #require(pthread_attr_setstacksize(&attributes, size) == 0)
    try #require(unsafeBitCast(write, to: Call.self)(&attributes) == 0)
    return former
  }

  @Test(.disabled(if: isSanitized, "sanitizers choose the size of stacks"))
  func `an exchange fails if no thread can be started, and a later exchange starts a thread`() async throws {
    server.answer("/a", .ok(Data([1])))
    let address = server.url("/a").absoluteString
    await #expect(processExitsWith: .success) { [address = address as String] in
      let url = try #require(URL(string: address))
      let engine = CurlEngine(FutureImage.CurlFetcher.Configuration(proxy: .none))
      // While no thread can be started, this code stays on its thread, because libdispatch would try forever to start another thread.
      try await Task.detached {
        let size = try CurlEngineTests.setStackSize(1 << 60)
        var failure: FutureImage.Failure?
        do {
          try await engine.run(CurlExchange(FutureImage.Request(url: url), lines: []), receive: { _ in })
        } catch {
          failure = error as? FutureImage.Failure
        }
        _ = try CurlEngineTests.setStackSize(size)
        guard failure?.reason == .transport(.other("no thread could be started; end other threads, and try again")) else { exit(1) }
        try await engine.run(CurlExchange(FutureImage.Request(url: url), lines: []), receive: { _ in })
      }.value
    }
  }
}
#endif
