import Foundation
import Testing

/// Everything at once, from several threads, on few keys: a hundred thousand operations, with `FUTUREIMAGE_DEEP` in the environment a
/// million. `FUTUREIMAGE_SEEDS` names the seeds of one process, for several that share the work.
@MainActor @Suite(.serialized, .tags(.threads), .timeLimit(.minutes(45))) struct StressTests {
  nonisolated static let all: [UInt64] = [1, 2, 3, 4]
  nonisolated static let seeds =
    ProcessInfo.processInfo.environment["FUTUREIMAGE_SEEDS"].map { $0.split(separator: " ").compactMap { UInt64($0) } } ?? all
  /// Of each of a fair's four visitors.
  nonisolated static let operations = (isDeep ? 1_000_000 : 100_000) / all.count / 4

  @Test(arguments: seeds)
  func `nobody is forgotten, told twice or shown another's picture, and nothing is left behind`(seed: UInt64) async {
    #expect(await Fair.day(seed: seed, each: Self.operations) == [])
  }
}
