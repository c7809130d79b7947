import Foundation

@testable import FutureImage
@testable import FutureImageCache
@testable import FutureImageTesting

/// An app's cache with a few values that several tasks set, remove, fetch, and read.
final class CacheTest: Sendable {
  private static let coder = CacheCoder<Int>(
    encode: { Data("\($0)".utf8) }, decode: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 })

  private struct State {
    var histories: [String: CacheHistory] = [:]
    var moment = 0
    var version = CacheHistory.fetched
    var faults: [String] = []
    /// The number of calls that have begun but not ended.
    var left = 0
  }

  /// One to three names. With fewer names, more tasks use the same name.
  private let names: [String]

  private let fixture = LoaderFixture()
  private let cache: Cache<Int>
  private let state = Lock(State(), rank: .testing)

  private init(_ folder: URL, seed: UInt64) {
    names = Array(["a", "b", "c"].prefix(1 + Int(seed / 16 % 3)))
    cache = Cache(
      directory: folder, as: Self.coder, capacity: CacheCapacity(), variants: [], fetching: fixture.loader,
      files: FaultyFileSystem(), notifications: NotificationCenter(), now: { Date(timeIntervalSince1970: 1_700_000_000) })
  }

  /// Runs this test.
  /// - Returns: the faults.
  static func mixed(seed: UInt64, each count: Int) -> [String] {
    Folder.with(seed: seed) { mixed(in: $0, seed: seed, each: count) }
  }

  private static func mixed(in folder: URL, seed: UInt64, each count: Int) -> [String] {
    let test = CacheTest(folder, seed: seed)
    let server = StressThreads.task {
      while !Task.isCancelled {
        await test.fixture.held.waitForHeld()
        Scheduling.uninterrupted {
          test.noteRequests()
          test.fixture.held.resolve(with: Data("\(CacheHistory.fetched)".utf8))
        }
        await Task.yield()
      }
    }
    for number in 0...scale.actors {
      _ = StressThreads.task {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 {
          await test.turn(&random)
          await Task.yield()
        }
      }
    }
    simulator.rest()
    // After the memory is emptied, the reads must find all values on disk.
    test.cache.emptyMemory()
    _ = StressThreads.task { for name in test.names { await test.read(name) } }
    simulator.rest()
    server.cancel()
    simulator.rest()
    let left = test.state.withLock { $0.left }
    // This disk has no faults, so no operation of the cache may fail, even if other operations remove files meanwhile.
    let fault = test.cache.lastFault.map { "the disk failed \(test.cache.faultCount) times; the last fault: \($0)" }
    return test.state.withLock { $0.faults } + (left > 0 ? ["\(left) calls never ended"] : []) + [fault].compactMap(\.self)
  }

  private static func key(_ name: String) -> String { FutureImage.Source.url(LoaderFixture.url(name)).key }

  private func turn(_ random: inout SeededGenerator) async {
    let name = names.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: set(name)
    case 2:
      StressThreads.note("remove \(name)")
      let call = begin([name], .remove)
      cache.remove(forKey: Self.key(name))
      end(call)
    case 3:
      StressThreads.note("remove all")
      let call = begin(names, .remove)
      do { try await cache.removeAll() } catch { note("removing all failed: \(error)") }
      end(call)
    case 4, 5: await fetch(name)
    case 6...8:
      StressThreads.note("empty the memory")
      cache.emptyMemory()
    case 9:
      // The memory may lack a value that is on disk, but a value that it has must be right.
      let began = moment()
      if let value = cache.valueInMemory(forKey: Self.key(name)) { judge(name, value, began) }
    default: await read(name)
    }
  }

  private func set(_ name: String) {
    let version = state.withLock { state in
      state.version += 1
      return state.version
    }
    StressThreads.note("set \(name) to \(version)")
    let call = begin([name], .set(version))
    cache.set(version, forKey: Self.key(name))
    end(call)
  }

  private func fetch(_ name: String) async {
    StressThreads.note("fetch \(name)")
    let began = moment()
    state.withLock { $0.left += 1 }
    do { judge(name, try await cache.value(from: .url(LoaderFixture.url(name))), began) } catch { note("fetching failed: \(error)") }
    state.withLock { $0.left -= 1 }
  }

  private func read(_ name: String) async {
    StressThreads.note("read \(name)")
    let began = moment()
    state.withLock { $0.left += 1 }
    do { judge(name, try await cache.value(forKey: Self.key(name)), began) } catch { note("reading failed: \(error)") }
    state.withLock { $0.left -= 1 }
  }

  // MARK: Moments

  private func moment() -> Int {
    state.withLock { state in
      state.moment += 1
      return state.moment
    }
  }

  /// Records a fetch for each request that the fetcher holds, because these fetches have begun by now.
  private func noteRequests() {
    let now = moment()
    let urls = fixture.held.heldRequests.map(\.url)
    state.withLock { state in
      for name in names where urls.contains(LoaderFixture.url(name)) {
        state.histories[name, default: CacheHistory()].noteRequest(at: now)
      }
    }
  }

  private func begin(_ names: [String], _ act: CacheHistory.Act) -> [String: Int] {
    let now = moment()
    return state.withLock { state in
      state.left += 1
      return Dictionary(uniqueKeysWithValues: names.map { ($0, state.histories[$0, default: CacheHistory()].begin(act, at: now)) })
    }
  }

  private func end(_ calls: [String: Int]) {
    let now = moment()
    state.withLock { state in
      state.left -= 1
      for (name, call) in calls { state.histories[name]?.end(call, at: now) }
    }
  }

  private func judge(_ name: String, _ value: Int?, _ began: Int) {
    let now = moment()
    let fault = state.withLock { $0.histories[name, default: CacheHistory()].fault(of: value, readFrom: began, to: now) }
    if let fault { note("\(name): \(fault)") }
  }

  private func note(_ fault: String) {
    state.withLock { $0.faults.append(fault) }
  }
}
