import Foundation

@testable import FutureImage

/// A fair two of whose disk tiers have one file by two paths, of which one leads through a symbolic link.
extension Fair {
  /// - Returns: what was wrong: who, or which file, has another picture than the others have in the end.
  static func links(seed: UInt64, each count: Int) -> [String] {
    Folder.with(seed: seed) { folder in
      let (real, link) = (folder.appendingPathComponent("real"), folder.appendingPathComponent("link"))
      do {
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
      } catch {
        return ["no folder can be made: \(error)"]
      }
      let fair = Fair()
      let name = changedName(seed)
      let files = FaultyFileSystem()
      let tiers = [real, link].map { FutureImage.FileTier($0.appendingPathComponent("picture.jpg"), files: files) }
      // The first future has the bytes: else those would be fetched once for each tier, and be another picture each time.
      let policies = [.modelOnly] + tiers.map { FutureImage.CachePolicy.tiers(disk: $0) } + (fair.policies[name] ?? []).suffix(1)
      // A tier that was never read does not know yet where its path leads.
      return fair.changes(name, policies, seed, count, isPrepared: true)
    }
  }
}
