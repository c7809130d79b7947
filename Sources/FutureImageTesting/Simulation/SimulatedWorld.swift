import Foundation
import FutureImage

/// A loader and everything it depends on, in one run of ``simulate(seeds:configuration:fileID:line:_:)``. Events happen only when the
/// scenario allows them. The seed chooses the events.
@MainActor public final class SimulatedWorld {
  /// A fault that may occur.
  public enum Fault: Sendable {
    /// A connection breaks before the response or in the middle of the body.
    case lostConnections
    /// The server answers 503.
    case busyServer
    /// The server answers 404 although it has the image.
    case missingImages
    /// Reads and writes of ``SimulatedWorld/disk`` fail.
    case brokenDisk
    /// The system sends a memory warning, which evicts pixels that are not on screen.
    case memoryWarnings
  }

  /// The seed of this run.
  public let seed: UInt64
  /// The loader to test with. It uses only the network and the disk of this world.
  public let loader: FutureImage.Loader
  /// A disk tier in memory with delayed reads and writes. Use it as in `cachePolicy: .tiers(disk: world.disk)`.
  public let disk: any FutureImage.DiskTier
  /// The generator for the scenario's own choices, as in `rows.randomElement(using: &world.random)`.
  public var random: SeededGenerator
  /// The faults that may occur in ``happen(atMost:)``. The default is all temporary faults. In spite of a temporary fault, an image arrives
  /// by itself or when it is requested again.
  public var faults: Set<Fault> = [.lostConnections, .busyServer, .brokenDisk, .memoryWarnings]
  /// The events so far, one per line.
  public private(set) var story: [String] = []

  let network = HeldFetcher()
  let clock = ManualClock()
  /// The calls of the disk and the decoder.
  let calls = HeldCalls()
  let turns = HeldTurns()
  private var pictures: [URL: [Data]] = [:]
  /// The remaining bytes of partly sent bodies, by URL.
  private var rests: [URL: Data] = [:]

  init(seed: UInt64, _ configuration: FutureImage.Loader.Configuration) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    disk = SeededTier(calls)
    let (clock, start, turns) = (clock, clock.now, turns)
    var configuration = configuration
    configuration.fetcher = network
    configuration.diskCache = nil
    configuration.decoder = SeededDecoder(decoder: configuration.decoder, calls: calls)
    configuration.clock = clock
    configuration.now = { Date(timeIntervalSince1970: 1_700_000_000 + start.duration(to: clock.now) / .seconds(1)) }
    let chances = Lock(SeededGenerator(seed: ~seed), rank: .testing)
    configuration.control(
      turns: { turns.add($0) }, clock: clock, deadlines: StoppedClock(),
      chance: { chances.withLock { Double.random(in: 0...1, using: &$0) } })
    loader = FutureImage.Loader(configuration)
  }

  // MARK: Setup

  /// Serves an image at a URL, as encoded bytes. If there are further images, the server changes to the next image before some of the
  /// requests, which the seed determines. Other URLs respond with 404.
  public func serve(_ url: URL, _ pictures: Data...) { self.pictures[url] = pictures }

  /// Adds a line to the story.
  public func note(_ text: String) { story.append(text) }

  // MARK: Events

  /// Runs some events, or none, and returns when all their consequences have happened. Call it between two user actions of a test.
  /// - Parameter most: the maximum number of events.
  /// - Throws: ``WaitTimedOut`` if the loader does not become idle within 60 seconds of real time, and `CancellationError`.
  public func happen(atMost most: Int = 4) async throws {
    try await standStill()
    for _ in 0..<Int.random(in: 0...most, using: &random) {
      guard try await step(faults) else { return }
    }
  }

  /// Runs all pending events, without further faults. Returns when no work remains.
  ///
  /// A failed image stays failed until it is requested again. To request it again, call `world.loader.retryFailed()` before this.
  /// - Throws: ``WaitTimedOut`` if work continues without end, and `CancellationError`.
  public func settle() async throws {
    try await standStill()
    while try await step([]) {}
  }

  /// Fails the scenario, with the story so far, if the condition does not hold.
  /// - Parameters:
  ///   - condition: the condition that must hold.
  ///   - what: a description of what is wrong if the condition does not hold.
  /// - Throws: an error with that description.
  public func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw UnmetExpectation(description: what()) }
  }

  // MARK: One event

  private func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

  private enum Event {
    case exchange(URL), call, turn, time, memoryWarning
  }

  /// - Returns: false if no event can happen.
  private func step(_ faults: Set<Fault>) async throws -> Bool {
    var events: [Event] = []
    for url in Set(network.heldURLs).sorted(by: { $0.absoluteString < $1.absoluteString }) { events.append(.exchange(url)) }
    if calls.count > 0 { events.append(.call) }
    if !turns.isEmpty { events.append(.turn) }
    if events.isEmpty || chance(0.1), !clock.waits.isEmpty { events.append(.time) }
    if !events.isEmpty, faults.contains(.memoryWarnings), chance(0.05) { events = [.memoryWarning] }
    guard let event = events.randomElement(using: &random) else { return false }
    switch event {
    case .exchange(let url): answer(url, faults)
    case .call:
      let call = Int.random(in: 0..<calls.count, using: &random)
      note(calls.release(call, isBroken: faults.contains(.brokenDisk) && chance(0.15)))
    case .turn:
      note("the main queue runs a turn")
      turns.run()
    case .time:
      let wait = clock.waits.first ?? .zero
      note("\(wait) pass")
      clock.advance(by: wait)
    case .memoryWarning:
      note("the system sends a memory warning")
      loader.removeCachedPixels()
    }
    try await standStill()
    return true
  }

  private func answer(_ url: URL, _ faults: Set<Fault>) {
    if let rest = rests.removeValue(forKey: url) {
      if faults.contains(.lostConnections), chance(0.2) {
        note("\(url) breaks off")
        return network.fail(url)
      }
      note("\(url) ends")
      return network.finish(url, with: rest)
    }
    if faults.contains(.lostConnections), chance(0.1) {
      note("the connection for \(url) is lost")
      return network.fail(url)
    }
    if faults.contains(.busyServer), chance(0.08) {
      note("the server is busy for \(url)")
      return network.answer(url, FutureImage.Response(status: 503, expectedBytes: 0))
    }
    guard let versions = pictures[url], !versions.isEmpty, !(faults.contains(.missingImages) && chance(0.05)) else {
      note("\(url) is missing")
      return network.answer(url, FutureImage.Response(status: 404, expectedBytes: 0))
    }
    if versions.count > 1, chance(0.3) {
      note("\(url) is replaced")
      pictures[url] = Array(versions.dropFirst())
    }
    send(pictures[url]?.first ?? Data(), url)
  }

  private func send(_ picture: Data, _ url: URL) {
    let headers = ["etag": "\"\(picture.count)-\(picture.reduce(UInt64(0)) { 31 &* $0 &+ UInt64($1) })\""]
    if let tag = network.heldTag(of: url), tag == headers["etag"] {
      note("\(url) has not changed")
      return network.answer(url, FutureImage.Response(status: 304, headers: headers, expectedBytes: 0))
    }
    guard picture.count > 1, chance(0.3) else {
      note("\(url) is answered with \(picture.count) bytes")
      return network.resolve(url, with: picture, headers: headers)
    }
    let half = picture.count / 2
    note("\(url) begins")
    network.begin(url, with: picture.prefix(half), of: picture.count, headers: headers)
    // Store the rest only if the receiver has not ended the exchange.
    if network.heldURLs.contains(url) { rests[url] = picture.suffix(from: half) }
  }

  /// Returns when all remaining work waits for this world.
  private func standStill() async throws {
    // A check reads several values one after the other, and they may change in between. So two checks in a row must succeed.
    var looks = 0
    try await eventually("all work waits for the simulated events. \(loader.unsettled)") {
      await letTasksPass()
      looks = isStill ? looks + 1 : 0
      return looks == 2
    }
    // The next answer for a URL in `rests` consists only of the remaining bytes. If the exchange was canceled, remove its remaining bytes,
    // because the next exchange for the URL starts from the beginning.
    let held = Set(network.heldURLs)
    for url in rests.keys where !held.contains(url) { rests[url] = nil }
  }

  /// Returns after the tasks that were enqueued before the call have run. A main-actor task that awaits or receives a `value` moves to a
  /// thread of Swift's pool and back. This method makes the same moves several times, so it returns after those tasks.
  private func letTasksPass() async {
    for _ in 0..<4 {
      for priority in [TaskPriority.high, .medium] { await Scheduling.task("a task behind others", priority: priority) {}.value }
      await Task.yield()
    }
  }

  /// Whether all remaining work waits for this world: each run for an exchange or a call, each transfer between two attempts for the clock,
  /// and each delivery for a turn.
  private var isStill: Bool {
    let activity = loader.activity
    return activity.work == 0 && activity.runs == network.heldCount + calls.count && activity.parked <= clock.waits.count
      && (activity.deliveries == 0 || !turns.isEmpty)
  }
}
