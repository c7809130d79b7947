import Foundation

@testable import FutureImage

/// A stress test with two disk tiers that have the same file by two paths, one of which leads through a symbolic link.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults: futures or files that do not have the same image at the end.
  static func links(seed: UInt64, each count: Int) -> [String] {
    Folder.with(seed: seed) { folder in
      let (real, link) = (folder.appendingPathComponent("real"), folder.appendingPathComponent("link"))
      do {
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
      } catch {
        return ["no folder can be created: \(error)"]
      }
      let stress = StressTest()
      let name = changedName(seed)
      let files = FaultyFileSystem()
      let tiers = [real, link].map { AskedTier(FutureImage.FileTier($0.appendingPathComponent("picture.jpg"), files: files)) }
      // The first future has the policy `.modelOnly`, so it retains the bytes in memory for all futures. Otherwise the bytes would be
      // fetched once for each tier, and each fetch would get another image.
      let policies = [.modelOnly] + tiers.map { FutureImage.CachePolicy.tiers(disk: $0) } + (stress.policies[name] ?? []).suffix(1)
      // A tier resolves the links in its path when it is first read. So all tiers are read before the threads start (`isPrepared`).
      return stress.changes(name, policies, seed, count, isPrepared: true)
    }
  }
}
