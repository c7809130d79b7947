import Foundation

@testable import FutureImage
@testable import FutureImageCache
@testable import FutureImageTesting

/// An app's cache whose process may end at any moment, even between the write of a file and its rename. Later processes open the same
/// cache.
final class CrashTest: Sendable {
  private struct State {
    var histories: [String: CrashHistory] = [:]
    var moment = 0
    var version = 0
    /// The moment at which the process ended; nil while it runs.
    var end: Int?
    var faults: [String] = []
  }

  private let names = ["a", "b"]
  private let cache: Cache<Int>
  private let files: FaultyFileSystem
  private let state: Lock<State>

  /// Creates the cache of one process.
  /// - Parameter number: the number of earlier processes.
  private init(_ folder: URL, _ disk: FaultyFileSystem, _ fixture: LoaderFixture, _ histories: [String: CrashHistory], number: Int) {
    files = disk
    // Each process starts so long after the previous process that unfinished files of the previous process count as abandoned.
    let now = Date(timeIntervalSince1970: 1_700_000_000 + 2 * DiskCacheStore.orphanAge * Double(number))
    cache = Cache(
      directory: folder, as: Self.coder, capacity: CacheCapacity(), variants: [], fetching: fixture.loader,
      files: files, notifications: NotificationCenter(), now: { now })
    state = Lock(State(histories: histories, version: histories.values.map(\.lastVersion).max() ?? 0), rank: .testing)
  }

  private static let coder = CacheCoder<Int>(
    encode: { Data("value \($0)".utf8) }, decode: { Int(String(decoding: $0.dropFirst(6), as: UTF8.self)) ?? -1 })

  /// Runs four long processes, which make all kinds of calls.
  /// - Returns: the faults.
  static func mixed(seed: UInt64, each count: Int) -> [String] {
    runProcesses(4, seed, on: { _ in FaultyFileSystem() }) { test, number in test.run(seed << 2 + UInt64(number), count, ends: number < 3) }
  }

  /// Runs many short processes. Each process may set values and remove all values, and then ends while the slow disk may still change
  /// files.
  /// - Returns: the faults.
  static func removals(seed: UInt64, each count: Int) -> [String] {
    let last = count / 10
    return runProcesses(last + 1, seed, on: { slowDisk(seed << 4 + UInt64($0)) }) { test, number in
      // The last process only reads. If it removed all values, it would also remove the unfinished files of earlier processes, and the
      // check for such files would prove nothing.
      if number < last { test.runShortly(~seed << 4 + UInt64(number)) }
    }
  }

  /// Runs one process after another in the same folder. The last process must not be interrupted.
  /// - Returns: the faults of the first process that found faults, or the unfinished files that are left at the end.
  private static func runProcesses(
    _ count: Int, _ seed: UInt64, on disk: (Int) -> FaultyFileSystem, run: (CrashTest, Int) -> Void
  ) -> [String] {
    Folder.with(seed: seed) { folder in
      var histories: [String: CrashHistory] = [:]
      for number in 0..<count {
        // Each process has its own loader, and thereby its own queue of writes.
        let test = CrashTest(folder, disk(number), LoaderFixture(), histories, number: number)
        test.look()
        run(test, number)
        let faults = test.state.withLock { $0.faults }
        guard faults.isEmpty else { return faults }
        histories = test.state.withLock { $0.histories }
      }
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
      let left = files.count { DiskCacheName.isTemporary($0.lastPathComponent) }
      return left > 0 ? ["\(left) unfinished files are left"] : []
    }
  }

  /// Returns a disk that takes up to three milliseconds for each change.
  private static func slowDisk(_ seed: UInt64) -> FaultyFileSystem {
    let random = Lock(SeededGenerator(seed: seed), rank: .testing)
    return FaultyFileSystem { call in
      guard [.openNew, .write, .move, .delete].contains(call) else { return }
      StressThreads.pass(.milliseconds(random.withLock { Int.random(in: 0..<4, using: &$0) }))
    }
  }

  /// Compares the entries on disk with the earlier calls.
  private func look() {
    _ = StressThreads.task { [self] in
      for name in names {
        do { judge(name, try await cache.value(forKey: name)) } catch { note("reading \(name) failed: \(error)") }
      }
    }
    simulator.rest()
  }

  private func judge(_ name: String, _ value: Int?) {
    state.withLock { state in
      if let fault = state.histories[name, default: CrashHistory()].fault(of: value) { state.faults.append("\(name): \(fault)") }
      state.histories[name] = CrashHistory(beginningWith: value, state.version)
    }
  }

  private func run(_ seed: UInt64, _ count: Int, ends: Bool) {
    for number in 0..<scale.actors {
      _ = StressThreads.task { [self] in
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 12 {
          await turn(&random)
          await Task.yield()
        }
      }
    }
    if ends {
      StressThreads.thread { [self] in
        var random = SeededGenerator(seed: ~seed)
        for _ in 0..<Int.random(in: 0..<2 * count, using: &random) { StressThreads.yieldTurn() }
        end()
      }
    }
    simulator.rest()
  }

  private func runShortly(_ seed: UInt64) {
    _ = StressThreads.task { [self] in
      var random = SeededGenerator(seed: seed)
      for name in names where Bool.random(using: &random) { set(name) }
      await Self.pause(&random)
      if Bool.random(using: &random) {
        await removeAll()
        await Self.pause(&random)
      }
      end()
    }
    simulator.rest()
  }

  /// Waits for about as long as the disk takes to write a value.
  private static func pause(_ random: inout SeededGenerator) async {
    try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<16, using: &random)), clock: SimulatedClock())
  }

  /// Ends the process. From now on, no operation of the cache reaches the disk.
  private func end() {
    StressThreads.note("the process ends")
    Scheduling.uninterrupted {
      for call in FaultyFileSystem.Call.allCases { files.fail(call, with: EIO) }
      state.withLock { state in
        state.moment += 1
        state.end = state.moment
      }
    }
  }

  private func turn(_ random: inout SeededGenerator) async {
    let name = names.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<9, using: &random) {
    case 0...2: set(name)
    case 3:
      StressThreads.note("remove \(name)")
      change(name, to: nil) { cache.remove(forKey: name) }
    case 4, 5:
      StressThreads.note("wait until all is on disk")
      let began = now()
      await cache.waitUntilIdle()
      state.withLock { state in
        // A write after the end of the process is not on disk.
        guard state.end == nil else { return }
        for name in names { state.histories[name]?.settle(before: began) }
      }
    case 6: await removeAll()
    case 7:
      StressThreads.note("empty the memory")
      cache.emptyMemory()
    default:
      StressThreads.note("read \(name)")
      _ = try? await cache.value(forKey: name)
    }
  }

  private func set(_ name: String) {
    let version = state.withLock { state in
      state.version += 1
      return state.version
    }
    StressThreads.note("set \(name) to \(version)")
    change(name, to: version) { cache.set(version, forKey: name) }
  }

  /// Removes all values. Afterward, no value that was set before is on disk, but values that are set meanwhile may be.
  private func removeAll() async {
    StressThreads.note("remove all")
    let began = now()
    let calls = state.withLock { state in names.map { ($0, state.histories[$0, default: CrashHistory()].begin(nil, at: began)) } }
    do { try await cache.removeAll() } catch { return }
    state.withLock { state in
      guard state.end == nil else { return }
      state.moment += 1
      for (name, call) in calls { state.histories[name]?.settle(call, at: state.moment) }
    }
  }

  private func change(_ name: String, to version: Int?, _ body: () -> Void) {
    let began = now()
    let call = state.withLock { $0.histories[name, default: CrashHistory()].begin(version, at: began) }
    body()
    let ended = now()
    state.withLock { $0.histories[name]?.end(call, at: ended) }
  }

  private func now() -> Int {
    state.withLock { state in
      state.moment += 1
      return state.moment
    }
  }

  private func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }
}
