import Foundation
import FutureImageTesting

@testable import FutureImage

/// A stress test with futures of a few keys, which many threads share, and with an unreliable server.
final class StressTest: Sendable {
  static let names = (0..<10).map { "\($0)" }
  /// The version that the server sends only at the end.
  static let lastVersion = 2

  /// Returns the color of a version. Red and green identify the key, and blue identifies the version.
  static func color(_ name: String, version: Int) -> TestColor {
    let number = Int(name) ?? 0
    return TestColor(red: 50 * (number % 5), green: 100 * (number / 5), blue: 120 * version)
  }

  private struct Weak {
    weak var future: FutureImage?
  }

  private struct State {
    var slots: [FutureImage?] = Array(repeating: nil, count: StressThreads.futures)
    var prefetches: [FutureImage.Prefetch?] = Array(repeating: nil, count: 4)
    var tasks: [Task<Void, Never>] = []
    var listeners: [Task<Void, Never>] = []
    var known: [Weak] = []
    /// The version with which the server answers every request; nil while the server is unreliable.
    var version: Int?
  }

  /// Functions that create objects of the app. The values that the test passes to the library retain these objects. A test can check that
  /// the library releases no such object inside a lock (``LockWatch``).
  struct Belongings: Sendable {
    /// Creates an object for the value with the given name. The object is released with that value.
    var object: @Sendable (String) -> (any Sendable)?
    /// Returns the image that a memory tier stores instead of the given one.
    var image: @Sendable (UIImage) -> UIImage

    static let none = Belongings(object: { _ in nil }, image: { $0 })
  }

  let fixture: LoaderFixture
  let waiters = WaiterLog()
  let bindings = StressBindings()
  private let belongings: Belongings
  private let keys: [SourceKey]
  private let notifications = NotificationCenter()
  private let tiers: [HeldTier]
  /// The policies for the futures of each key. The last policy of a key has a memory tier.
  let policies: [String: [FutureImage.CachePolicy]]
  private let corrupt: Data
  private let state = Lock(State())
  private let timePasser: (@Sendable (Duration) -> Void)?

  /// - Parameters:
  ///   - passTime: advances the time. If it is nil, the test advances the clock of its fixture.
  ///   - disk: wraps a disk tier.
  ///   - change: changes the loader's configuration.
  init(
    _ belongings: Belongings = .none, passTime: (@Sendable (Duration) -> Void)? = nil,
    disk: (HeldTier) -> any FutureImage.DiskTier = { $0 }, change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) {
    self.belongings = belongings
    keys = StressTest.names.map { StressTest.source($0, belongings).id }
    timePasser = passTime
    fixture = LoaderFixture(maxPixelBytes: 5 * 64 * 48 * 4, notifications: notifications, change: change)
    let tiers = StressTest.names.map { _ in [HeldTier(), HeldTier()] }
    self.tiers = tiers.flatMap { $0 }
    policies = Dictionary(
      uniqueKeysWithValues: zip(StressTest.names, tiers.map { $0.map(disk) }).map { name, tiers in
        let cache = FutureImage.CachePolicy.tiers(memory: HeldMemory(keeping: belongings.image), disk: tiers[0])
        return (name, [.automatic, .modelOnly, .tiers(disk: tiers[0]), .tiers(disk: tiers[1]), cache])
      })
    let noise = SampleImage.noise(64, 48)
    corrupt = noise.prefix(noise.count / 2)
    StressThreads.watch { [weak self] in self?.brokenLimit }
  }

  /// The bytes of all versions of each image.
  static let pictures = Dictionary(
    uniqueKeysWithValues: names.map { name in (name, (0...lastVersion).map { color(name, version: $0).jpeg() }) })

  var loader: FutureImage.Loader { fixture.loader }

  /// Returns whether the image is a version of the key's image.
  static func isRight(_ image: UIImage, _ name: String) -> Bool {
    (0...lastVersion).contains { color(name, version: $0).isNearly(image.color) }
  }

  // MARK: Futures

  func make(_ random: inout SeededGenerator) -> FutureImage {
    let name = StressTest.names.randomElement(using: &random) ?? ""
    return make(name, policies[name]?.randomElement(using: &random) ?? .automatic)
  }

  func source(_ name: String) -> FutureImage.Source { StressTest.source(name, belongings) }

  private static func source(_ name: String, _ belongings: Belongings) -> FutureImage.Source {
    guard let object = belongings.object("headers") else { return .url(LoaderFixture.url(name)) }
    return .url(LoaderFixture.url(name), key: name) {
      withExtendedLifetime(object) { [:] }
    }
  }

  func make(_ name: String, _ policy: FutureImage.CachePolicy) -> FutureImage {
    let step = belongings.object("transform").map { object in
      FutureImage.Transform.custom("as it is") { image in withExtendedLifetime(object) { image } }
    }
    let future = FutureImage(source(name), cachePolicy: policy, transform: step, loader: loader)
    let living = state.withLock { state -> [FutureImage] in
      state.known.append(Weak(future: future))
      guard state.known.count % 4_096 == 0 else { return [] }
      let living = state.known.compactMap(\.future)
      state.known = living.map { Weak(future: $0) }
      return living
    }
    // Other threads may release these futures meanwhile. The last references are then released here, outside the lock.
    withExtendedLifetime(living) {}
    return future
  }

  func name(of future: FutureImage) -> String {
    StressTest.names.first { LoaderFixture.url($0) == future.url } ?? ""
  }

  /// Returns the future in a random slot. If the slot is empty, first puts a new future into it.
  func pick(amongFirst count: Int = StressThreads.futures, _ random: inout SeededGenerator) -> FutureImage {
    let slot = Int.random(in: 0..<min(count, StressThreads.futures), using: &random)
    if let future = state.withLock({ $0.slots[slot] }) { return future }
    let future = make(&random)
    put(future, slot)
    return future
  }

  // The previous future is released outside the lock, because its `deinit` acquires other locks.
  func put(_ future: FutureImage?, _ slot: Int) {
    let old = state.withLock { state in
      // There may be fewer slots than an actor expects.
      let slot = slot % StressThreads.futures
      let old = state.slots[slot]
      state.slots[slot] = future
      return old
    }
    withExtendedLifetime(old) {}
  }

  func put(_ prefetch: FutureImage.Prefetch?, _ slot: Int) {
    let old = state.withLock { state in
      let old = state.prefetches[slot]
      state.prefetches[slot] = prefetch
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Adds a task that ends by itself.
  func add(_ task: Task<Void, Never>) { state.withLock { $0.tasks.append(task) } }

  /// Adds a task that may have to be canceled.
  func add(listener task: Task<Void, Never>) { state.withLock { $0.listeners.append(task) } }

  /// All living futures.
  var futures: [FutureImage] { state.withLock { $0.known.compactMap(\.future) } }

  // MARK: Faults

  func warnOfMemory() {
    if let platformMemoryWarning { notifications.post(name: platformMemoryWarning, object: nil) }
  }

  func pass(_ time: Duration) {
    if let timePasser { timePasser(time) } else { fixture.clock.advance(by: time) }
  }

  /// A description of a violated rule; nil if there is none. These rules apply at any time, even while work is in progress.
  private var brokenLimit: String? {
    let (pixels, arrived, limit) = (loader.pixelBytes, loader.arrivedByteCount, loader.configuration.maxPixelBytes)
    if pixels > limit || arrived > limit { return "\(pixels) bytes are in the pool, \(arrived) bytes await delivery, of \(limit) allowed" }
    let (work, writes, slow) = loader.state.withLock { state in
      (state.work.pending, loader.writeCount, keys.filter { state.isLessUrgent($0) }.count)
    }
    if slow > 0 { return "\(slow) transfers run with a lower priority than that of their jobs" }
    if work < 0 || writes < 0 { return "the count of pending work is \(work), and the count of writes is \(writes)" }
    if waiters.twice > 0 { return "\(waiters.twice) results were delivered to waiters that already had one" }
    return waiters.wrong.first
  }

  /// Makes a random disk tier fail or work again.
  func shake(_ random: inout SeededGenerator) {
    tiers.randomElement(using: &random)?.setBroken(Bool.random(using: &random))
  }

  // MARK: The server

  /// Answers requests until the task is canceled.
  func serve(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    while !Task.isCancelled {
      await fixture.held.waitForHeld()
      answerAll(&random)
      await Task.yield()
    }
  }

  /// Answers each held request, fails it, or leaves it for later.
  func answerAll(_ random: inout SeededGenerator) {
    for name in StressTest.names { answer(name, &random) }
  }

  private func answer(_ name: String, _ random: inout SeededGenerator) {
    let url = LoaderFixture.url(name)
    guard let pictures = StressTest.pictures[name] else { return }
    if let version = state.withLock({ $0.version }) { return fixture.held.resolve(url, with: pictures[version]) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60: fixture.held.resolve(url, with: pictures[Int.random(in: 0..<StressTest.lastVersion, using: &random)])
    case 60..<75: fixture.held.fail(url)
    case 75..<78: fixture.held.answer(url, FutureImage.Response(status: 404))
    case 78..<80: fixture.held.resolve(url, with: Data("no image".utf8))
    case 80..<83: fixture.held.resolve(url, with: corrupt)
    case 83..<90: answerInHalves(url, pictures[0])
    default: break
    }
  }

  /// Answers with the image in two halves. A request that starts between the halves gets only the second half, which is not a valid image.
  private func answerInHalves(_ url: URL, _ body: Data) {
    let half = body.count / 2
    fixture.held.begin(url, with: body.prefix(half), of: body.count)
    fixture.held.finish(url, with: body.suffix(from: half))
  }

  // MARK: The end

  /// Makes the server answer with the given version from now on, and makes all disk tiers work.
  func makeReliable(version: Int = 0) {
    state.withLock { $0.version = version }
    for tier in tiers { tier.setBroken(false) }
  }

  /// Returns when the loader is idle. Time advances meanwhile, so that transfers retry and remembered failures expire.
  func waitUntilIdle() async {
    let clock = fixture.clock
    let waking = StressThreads.task {
      while !Task.isCancelled {
        clock.advance(by: .seconds(31))
        await Task.yield()
      }
    }
    await loader.waitUntilIdle()
    waking.cancel()
    await waking.value
  }

  /// Releases all futures and prefetches, and waits until all tasks have ended. Call this method when all waiters have their results.
  func leave() async {
    for slot in 0..<StressThreads.futures { put(nil as FutureImage?, slot) }
    for slot in 0..<4 { put(nil as FutureImage.Prefetch?, slot) }
    let (tasks, listeners) = state.withLock { state in
      defer { (state.tasks, state.listeners) = ([], []) }
      return (state.tasks, state.listeners)
    }
    for listener in listeners { listener.cancel() }
    for task in tasks + listeners { await task.value }
  }

  /// Binds new futures of every key and policy to new views. Each view must show an image of its key, and the newest image after a reload.
  /// - Returns: the faults.
  @MainActor func newcomers() async -> [String] {
    var faults: [String] = []
    // This makes the remembered failures expire.
    fixture.clock.advance(by: .seconds(31))
    for name in StressTest.names {
      let futures = (policies[name] ?? []).map { make(name, $0) }
      let views = futures.map { _ in imageView(64) }
      for (future, view) in zip(futures, views) { view.futureImage = future }
      await waitUntilIdle()
      for (view, future) in zip(views, futures) where view.futureImage != nil || !StressTest.isRight(view.image ?? UIImage(), name) {
        faults.append("a new view does not show the image of \(name), or is still bound: \(future.phase)")
      }
      makeReliable(version: StressTest.lastVersion)
      futures[0].reload()
      await waitUntilIdle()
      let newest = StressTest.color(name, version: StressTest.lastVersion)
      for (view, future) in zip(views, futures) where !newest.isNearly(view.image?.color) {
        faults.append("a new view does not show the newest image of \(name) after a reload: \(future.phase)")
      }
      makeReliable()
    }
    return faults
  }
}

extension FutureImage.Loader.State {
  /// Returns whether the task of the key's fetch has a lower priority than the fetch requires.
  fileprivate func isLessUrgent(_ key: SourceKey) -> Bool {
    guard let fetch = pictures[key]?.fetch, fetch.run != nil, let task = fetch.task else { return false }
    return task.priority < fetch.rank.taskPriority
  }
}
