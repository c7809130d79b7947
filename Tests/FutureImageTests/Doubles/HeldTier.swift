import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A disk tier without a disk, whose calls block or fail as a test requires. It stores one body for all keys.
final class HeldTier: FutureImage.DiskTier {
  struct Full: Error {}
  struct Broken: Error {}

  private struct State: Sendable {
    var entry: FutureImage.CacheEntry?
    var holdsReads = false
    var holdsStores = false
    var holdsRemovals = false
    var isFull = false
    var isBroken = false
    var reads = 0
    var stores = 0
    var readsBegun = 0
    var storesBegun = 0
  }

  private let state: Observed<State>

  init(_ body: Data? = nil) {
    state = Observed(State(entry: body.map { FutureImage.CacheEntry(body: $0) }))
  }

  var body: Data? { state.read { $0.entry?.body } }

  /// The number of reads that succeeded.
  var reads: Int { state.read { $0.reads } }
  /// The number of stores that succeeded.
  var stores: Int { state.read { $0.stores } }
  var readsBegun: Int { state.read { $0.readsBegun } }

  func holdReads() { state.update { $0.holdsReads = true } }
  func holdStores() { state.update { $0.holdsStores = true } }
  /// Holds a removal after the entry is removed and before the call ends.
  func holdRemovals() { state.update { $0.holdsRemovals = true } }
  /// Makes all later stores fail.
  func fill() { state.update { $0.isFull = true } }

  /// Sets whether all later calls fail.
  func setBroken(_ isBroken: Bool) { state.update { $0.isBroken = isBroken } }

  func release() {
    state.update {
      $0.holdsReads = false
      $0.holdsStores = false
      $0.holdsRemovals = false
    }
  }

  /// Returns when the total number of started reads reaches the count.
  func waitForReads(_ count: Int = 1) async { await state.wait { $0.readsBegun >= count } }
  /// Returns when the total number of started stores reaches the count.
  func waitForStores(_ count: Int = 1) async { await state.wait { $0.storesBegun >= count } }
  /// Returns when the total number of successful stores reaches the count.
  func waitForStored(_ count: Int = 1) async { await state.wait { $0.stores >= count } }

  func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
    state.update { $0.readsBegun += 1 }
    await state.wait { !$0.holdsReads }
    return try state.update { state in
      guard !state.isBroken else { throw Broken() }
      state.reads += 1
      return state.entry
    }
  }

  func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {
    state.update { $0.storesBegun += 1 }
    await state.wait { !$0.holdsStores }
    try state.update { state in
      guard !state.isFull else { throw Full() }
      guard !state.isBroken else { throw Broken() }
      state.entry = entry
      state.stores += 1
    }
  }

  func remove(forKey key: String) async throws {
    try state.update { state in
      guard !state.isBroken else { throw Broken() }
      state.entry = nil
    }
    await state.wait { !$0.holdsRemovals }
  }
}
