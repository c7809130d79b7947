import FutureImage

/// A disk tier in memory whose calls wait until they are resumed.
final class SeededTier: FutureImage.DiskTier {
  /// The error of a broken tier.
  struct Broken: Error, CustomStringConvertible {
    let description = "the simulated disk is broken"
  }

  private let calls: HeldCalls
  private let entries = Lock<[String: FutureImage.CacheEntry]>([:], rank: .testing)

  init(_ calls: HeldCalls) {
    self.calls = calls
  }

  func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
    try await hold("reading \(key)")
    return entries.withLock { $0[key] }
  }

  func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {
    try await hold("storing \(key)")
    entries.withLock { $0[key] = entry }
  }

  func remove(forKey key: String) async throws {
    try await hold("removing \(key)")
    entries.withLock { $0[key] = nil }
  }

  private func hold(_ what: String) async throws {
    let isBroken = await withCheckedContinuation { continuation in
      calls.add(what, mayFail: true) { continuation.resume(returning: $0) }
    }
    if isBroken { throw Broken() }
  }
}
