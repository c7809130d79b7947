import Foundation
import Testing

/// Everything at once, from several threads, on few keys: a hundred thousand operations, with `FUTUREIMAGE_DEEP` in the environment a
/// million.
@MainActor @Suite(.serialized, .tags(.threads), .timeLimit(.minutes(30))) struct StressTests {
  nonisolated static let operations = ProcessInfo.processInfo.environment["FUTUREIMAGE_DEEP"] == nil ? 100_000 : 1_000_000
  nonisolated static let seeds: [UInt64] = [1, 2, 3, 4]

  @Test(arguments: seeds)
  func `nobody is forgotten, told twice or shown another's picture, and nothing is left behind`(seed: UInt64) async {
    #expect(await Fair.day(seed: seed, each: Self.operations / Self.seeds.count / 4) == [])
  }
}
