import Foundation
import FutureImage

/// A loader, and all that it depends on, in one run of ``simulate(seeds:configuration:fileID:line:_:)``: nothing happens but what the scenario
/// lets happen, and what that is, is chosen by the seed.
@MainActor public final class SimulatedWorld {
  /// What may go wrong.
  public struct Mishaps: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A connection breaks before the answer, or in the middle of the body.
    public static let lostConnections = Mishaps(rawValue: 1)
    /// The server answers 503.
    public static let busyServer = Mishaps(rawValue: 2)
    /// The server answers 404 although it has the picture.
    public static let missingPictures = Mishaps(rawValue: 4)
    /// ``SimulatedWorld/disk`` can neither read nor write.
    public static let brokenDisk = Mishaps(rawValue: 8)
    /// The system warns of memory: pixels that are on no screen are let go.
    public static let memoryWarnings = Mishaps(rawValue: 16)

    /// All that passes: a picture comes in the end, by itself or when it is asked for again.
    public static let passing: Mishaps = [.lostConnections, .busyServer, .brokenDisk, .memoryWarnings]
  }

  /// The seed of this run.
  public let seed: UInt64
  /// The loader to test with: it has no network and no disk but those of this world.
  public let loader: FutureImage.Loader
  /// A disk tier in memory, whose reads and writes take their time: `cachePolicy: .tiers(disk: world.disk)`.
  public let disk: any FutureImage.DiskTier
  /// For the choices of the scenario itself: `rows.randomElement(using: &world.random)`.
  public var random: SeededGenerator
  /// What may go wrong in ``happen(atMost:)``; ``SimulatedWorld/Mishaps/passing`` unless it is set.
  public var mishaps = Mishaps.passing
  /// What has happened, a line each.
  public private(set) var story: [String] = []

  let network = HeldFetcher()
  let clock = ManualClock()
  /// Of the disk and of the decoder.
  let calls = HeldCalls()
  let turns = HeldTurns()
  private var pictures: [URL: [Data]] = [:]
  /// The rest of a body that was begun, by URL.
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
      turns: { turns.add($0) }, clock: clock, chance: { chances.withLock { Double.random(in: 0...1, using: &$0) } })
    loader = FutureImage.Loader(configuration)
  }

  // MARK: What there is

  /// What the server has for a URL, as encoded bytes: the picture, and those that replace it later. Other URLs are 404.
  public func serve(_ url: URL, _ pictures: Data...) { self.pictures[url] = pictures }

  /// Adds a line to the story.
  public func note(_ text: String) { story.append(text) }

  // MARK: What happens

  /// Lets some things happen, or none, and returns when all that follows from them has: what a test has between two acts of its user.
  /// - Parameter most: how many things at most.
  /// - Throws: ``WaitTimedOut`` if the loader does not come to rest in 60 seconds of real time, and `CancellationError`.
  public func happen(atMost most: Int = 4) async throws {
    try await standStill()
    for _ in 0..<Int.random(in: 0...most, using: &random) {
      guard try await step(mishaps) else { return }
    }
  }

  /// Lets happen what there is to happen, and nothing goes wrong any more. Returns when nothing is under way.
  ///
  /// A picture that failed stays so, unless it is asked for again: `world.loader.retryFailed()` before this.
  /// - Throws: ``WaitTimedOut`` if something goes on and on, and `CancellationError`.
  public func settle() async throws {
    try await standStill()
    while try await step([]) {}
  }

  /// Fails the scenario, with the story so far, unless the condition holds.
  /// - Parameters:
  ///   - condition: what is to be true.
  ///   - what: what is wrong otherwise, in words.
  /// - Throws: an error with those words.
  public func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw UnmetExpectation(description: what()) }
  }

  // MARK: One thing

  private func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

  private enum Event {
    case exchange(URL), call, turn, time, memoryWarning
  }

  /// - Returns: false where there is nothing that could happen.
  private func step(_ mishaps: Mishaps) async throws -> Bool {
    var events: [Event] = []
    for url in Set(network.heldURLs).sorted(by: { $0.absoluteString < $1.absoluteString }) { events.append(.exchange(url)) }
    if calls.count > 0 { events.append(.call) }
    if !turns.isEmpty { events.append(.turn) }
    if events.isEmpty || chance(0.1), !clock.waits.isEmpty { events.append(.time) }
    if !events.isEmpty, mishaps.contains(.memoryWarnings), chance(0.05) { events = [.memoryWarning] }
    guard let event = events.randomElement(using: &random) else { return false }
    switch event {
    case .exchange(let url): answer(url, mishaps)
    case .call:
      let call = Int.random(in: 0..<calls.count, using: &random)
      note(calls.letGo(call, isBroken: mishaps.contains(.brokenDisk) && chance(0.15)))
    case .turn:
      note("the main queue has a turn")
      turns.run()
    case .time:
      let wait = clock.waits.first ?? .zero
      note("\(wait) pass")
      clock.advance(by: wait)
    case .memoryWarning:
      note("memory is short")
      loader.emptyPixelPool()
    }
    try await standStill()
    return true
  }

  private func answer(_ url: URL, _ mishaps: Mishaps) {
    if let rest = rests.removeValue(forKey: url) {
      if mishaps.contains(.lostConnections), chance(0.2) {
        note("\(url) breaks off")
        return network.fail(url)
      }
      note("\(url) ends")
      return network.finish(url, with: rest)
    }
    if mishaps.contains(.lostConnections), chance(0.1) {
      note("the connection for \(url) is lost")
      return network.fail(url)
    }
    if mishaps.contains(.busyServer), chance(0.08) {
      note("the server is busy for \(url)")
      return network.answer(url, FutureImage.Response(status: 503, expectedBytes: 0))
    }
    guard let versions = pictures[url], !versions.isEmpty, !(mishaps.contains(.missingPictures) && chance(0.05)) else {
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
      note("\(url) is still the same")
      return network.answer(url, FutureImage.Response(status: 304, headers: headers, expectedBytes: 0))
    }
    guard picture.count > 1, chance(0.3) else {
      note("\(url) is answered with \(picture.count) bytes")
      return network.resolve(url, with: picture, headers: headers)
    }
    let half = picture.count / 2
    note("\(url) begins")
    network.begin(url, with: picture.prefix(half), of: picture.count, headers: headers)
    // Not if its receiver has had enough.
    if network.heldURLs.contains(url) { rests[url] = picture.suffix(from: half) }
  }

  /// Returns when nothing goes on but what waits for this world.
  private func standStill() async throws {
    var looks = 0
    try await eventually("nothing goes on by itself. \(loader.unsettled)") {
      await letTasksPass()
      looks = isStill ? looks + 1 : 0
      return looks == 2
    }
    // Who joins an exchange that was begun gets its rest alone; one that was given up is begun anew.
    let held = Set(network.heldURLs)
    for url in rests.keys where !held.contains(url) { rests[url] = nil }
  }

  /// A task on the main actor that asks for `value` or is told it goes over a thread of Swift's pool and back. So does this, and comes behind
  /// those that were there before.
  private func letTasksPass() async {
    for _ in 0..<4 {
      for priority in [TaskPriority.high, .medium] { await Scheduling.task("a task behind others", priority: priority) {}.value }
      await Task.yield()
    }
  }

  private var isStill: Bool {
    let activity = loader.activity
    return activity.work == 0 && activity.runs == network.heldCount + calls.count && activity.parked <= clock.waits.count
      && (activity.deliveries == 0 || !turns.isEmpty)
  }
}
