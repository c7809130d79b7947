import CReference
import Foundation
import FutureImage

/// The longest hold of one of the library's locks during a mixed stress, and while one image has 10,000 readers (the loader's parts of the
/// image's futures).
///
/// The figure is the maximum of about a million holds. In a virtual machine, the time for which the host takes a processor away counts as
/// processor time of the thread. The library's work inside a lock recurs in every round, but an interruption by the host does not. So the
/// benchmark judges only the round with the least maximum, and misses a long hold that does not occur in each round.
///
/// The rounds are short, because in some hours, the host interrupted every round of three million holds. They are long enough that futures
/// fill three quarters of the slots of `Shelf`, so that the library's tables have nearly their full size. (In much longer rounds, futures
/// would fill four fifths of these slots.) The note has the greatest hold of all rounds. The reference is the longest time between two
/// readings of the same clock, by threads that hold no lock and do nothing else.
extension Benchmark {
  static let lockHolds = Benchmark(name: "lock holds") {
    let rounds = try (1...Effort.rounds(16)).map { _ in
      let words = try LockTimes.run(.lockHolds).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      guard words.count == 4 else { throw Child.Failed(description: "the process printed no times of locks") }
      return words
    }
    let stress = rounds.map { $0[0] }.sorted()
    return [
      Row(
        "longest lock hold, stress", Array(stress.prefix(1)), limit: 1, unit: "ms", scale: 1e3, reference: rounds.map { $0[3] },
        note: "the least of \(stress.count) rounds of \(Int(rounds.map { $0[1] }.median)) holds, the greatest is "
          + "\(Table.text(stress.quantile(1) * 1e3)) ms; reference: one reading of the clock"),
      Row("longest lock hold, \(Effort.isQuick ? "1,000" : "10,000") readers", rounds.map { $0[2] }, limit: 1, unit: "ms", scale: 1e3)
    ]
  }
}

extension Part {
  @MainActor func lockHolds() async throws -> String {
    // The readers of one image are measured first, because the crowd frees so many blocks that the allocator later takes milliseconds to
    // merge them, while a thread holds some lock.
    _ = try LockTimes.take()
    try await read(Effort.some(10_000))
    let readers = try LockTimes.take().longest
    try await Crowd().run(Effort.some(8_000))
    let stress = try LockTimes.take()
    return "\(stress.longest) \(stress.count) \(readers) \(await longestReading(seconds: 1))"
  }

  /// Returns the longest processor time between two readings of the clock, in seconds, on as many threads as the stress test has.
  private func longestReading(seconds: Double) async -> Double {
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          let end = reference_wall_seconds() + seconds
          var (longest, before) = (0.0, reference_thread_seconds())
          while reference_wall_seconds() < end {
            let now = reference_thread_seconds()
            longest = max(longest, now - before)
            before = now
          }
          return longest
        }
      }
      return await group.reduce(0, max)
    }
  }

  /// Creates the given number of futures of one URL, each with a waiting closure. Then everything happens to their image that can happen:
  /// it is fetched, found on disk, confirmed by its source, replaced by its source and by the app, refused, and deleted at its source.
  /// Finally, the futures are released.
  @MainActor private func read(_ count: Int) async throws {
    let server = OneImage(try Pictures.small(0), try Pictures.small(1))
    for hasDisk in [false, true] {
      var configuration = FutureImage.Loader.Configuration()
      configuration.fetcher = server
      configuration.diskCache = hasDisk ? FutureImage.DiskCache(directory: try Scratch().folder(), maxBytes: 2 << 20) : nil
      configuration.retry.failureMemory = .zero
      let loader = FutureImage.Loader(configuration)
      for answer in [OneImage.Answer.image, .image, .refusal] {
        server.answer = answer
        var futures = (0..<count).map { _ in FutureImage(at: Samples.url(answer == .refusal ? 2 : 1), loader: loader) }
        for future in futures { future.whenReady { _ in } }
        await loader.waitUntilIdle()
        for next in answer == .image ? [OneImage.Answer.confirmation, .other, .deletion] : [] {
          server.answer = next
          futures[0].reload()
          await loader.waitUntilIdle()
        }
        server.answer = .image
        for future in futures { future.whenReady { _ in } }
        loader.retryFailed()
        await loader.waitUntilIdle()
        try await loader.set(Pictures.small(2), forKey: futures[0].key)
        await loader.waitUntilIdle()
        futures = []
        await loader.waitUntilIdle()
      }
    }
  }
}

/// Three threads and the main actor that use the futures of a thousand images at random, in many ways.
@MainActor private final class Crowd {
  private let loader: FutureImage.Loader
  private let shelf: Shelf
  private let screen = ImageViews(24, side: 64)

  init() throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.fetcher = UnreliableFetcher(body: try Pictures.small(0))
    configuration.diskCache = FutureImage.DiskCache(directory: try Scratch().folder(), maxBytes: 2 << 20)
    configuration.maxPixelBytes = 2 << 20
    configuration.retry.failureMemory = .milliseconds(20)
    loader = FutureImage.Loader(configuration)
    shelf = Shelf(loader)
  }

  /// Runs the given number of operations on each of three threads, and binds views meanwhile.
  func run(_ count: Int) async {
    let shelf = shelf
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<count { shelf.act() }
        }
      }
      for turn in 0..<count / 100 {
        for view in screen.views.shuffled().prefix(4) { view.futureImage = shelf.pick() }
        if turn % 50 == 0 { loader.retryFailed() }
        await Task.yield()
      }
      await group.waitForAll()
    }
    shelf.clear()
    await loader.waitUntilIdle()
  }
}

/// The futures that the crowd retains.
private final class Shelf: @unchecked Sendable {
  // Sendable: the slots are accessed only inside `locked`.
  private var slots: [FutureImage?] = Array(repeating: nil, count: 4_000)
  private let lock = NSLock()
  private let loader: FutureImage.Loader

  init(_ loader: FutureImage.Loader) {
    self.loader = loader
  }

  func act() {
    switch Int.random(in: 0..<20) {
    case 0..<8: put(make(), Int.random(in: 0..<4_000))
    case 8, 9: put(nil, Int.random(in: 0..<4_000))
    case 10, 11: pick()?.cancel()
    case 12: pick()?.reload()
    case 13..<16: pick()?.whenReady(fitting: .fit(width: 64, height: 64)) { _ in }
    case 16: _ = pick()?.image
    case 17: _ = pick()?.progress.fractionCompleted
    case 18: _ = (0..<32).map { _ in make() }.prefetch(\.self)
    default: _ = pick()?.phase
    }
  }

  func pick() -> FutureImage? { locked { $0[Int.random(in: 0..<4_000)] } }

  func clear() {
    for slot in 0..<4_000 { put(nil, slot) }
  }

  private func make() -> FutureImage {
    let number = Int.random(in: 0..<1_000)
    return FutureImage(at: Samples.url(number, host: "\(number % 50).example.com"), loader: loader)
  }

  private func put(_ future: FutureImage?, _ slot: Int) {
    let old = locked { slots in
      defer { slots[slot] = future }
      return slots[slot]
    }
    withExtendedLifetime(old) {}
  }

  private func locked<Result>(_ body: (inout [FutureImage?]) -> Result) -> Result { lock.withLock { body(&slots) } }
}

/// A fetcher that answers at once, sometimes with a temporary or a permanent failure.
private struct UnreliableFetcher: FutureImage.Fetcher {
  let body: Data

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    let status =
      switch Int.random(in: 0..<20) {
      case 0: 503
      case 1: 404
      default: 200
      }
    try receive(.response(FutureImage.Response(status: status, expectedBytes: status == 200 ? body.count : nil)))
    if status == 200 { try receive(.bytes(body)) }
  }
}

/// A fetcher that gives the answer that the benchmark has set.
private final class OneImage: FutureImage.Fetcher, @unchecked Sendable {
  // Sendable: the answer is accessed only inside the lock, and the bodies never change.
  enum Answer { case image, other, confirmation, refusal, deletion }

  var answer: Answer {
    get { lock.withLock { next } }
    set { lock.withLock { next = newValue } }
  }
  private var next = Answer.image
  private let lock = NSLock()
  private let (body, otherBody): (Data, Data)

  init(_ body: Data, _ otherBody: Data) { (self.body, self.otherBody) = (body, otherBody) }

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    let (status, body): (Int, Data?) =
      switch answer {
      case .image: (200, body)
      case .other: (200, otherBody)
      case .confirmation: (304, nil)
      case .refusal: (403, nil)
      case .deletion: (410, nil)
      }
    try receive(.response(FutureImage.Response(status: status, headers: ["etag": "\"1\""], expectedBytes: body?.count)))
    if let body { try receive(.bytes(body)) }
  }
}
