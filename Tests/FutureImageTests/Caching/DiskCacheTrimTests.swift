import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DiskCacheTrimTests {
  private let now = Date()

  /// Returns files of these sizes, which were last used one hour apart, with the least recently used file first.
  private func files(_ sizes: [Int]) -> [DiskCacheTrim.File] {
    sizes.enumerated().map { index, size in file("\(index)", size, hoursAgo: Double(sizes.count - index)) }
  }

  private func file(_ key: String, _ size: Int, hoursAgo: Double) -> DiskCacheTrim.File {
    let status = FileStatus(kind: .file, bytes: size, modified: now - hoursAgo * 3600, identity: 1)
    return DiskCacheTrim.File(name: DiskCacheName(key: key), status: status)
  }

  @Test(arguments: [
    (100, [40, 40, 20], 0), (100, [40, 40, 30], 1), (100, [10, 40, 51], 2), (100, [], 0), (0, [1, 1], 2), (9, [5, 5], 1), (100, [101], 1)
  ])
  func `files over the limit are removed, oldest first, until at most nine tenths of the limit are used`(
    limit: Int, sizes: [Int], removed: Int
  ) {
    let files = files(sizes)
    let trim = DiskCacheTrim(maxBytes: limit, maxAge: nil, now: now)
    #expect(trim.files(toRemoveFrom: files.reversed()) == Array(files.prefix(removed)))
  }

  @Test func `files beyond the maximum age are removed first, and then do not count toward the limit`() {
    let files = files([50, 50, 50])
    let trim = DiskCacheTrim(maxBytes: 100, maxAge: 2.5 * 3600, now: now)
    #expect(trim.files(toRemoveFrom: files) == [files[0]])
  }

  @Test func `a file with a time of use in the future is treated as used now`() {
    let (future, further, used) = (file("a", 50, hoursAgo: -9), file("b", 50, hoursAgo: -99), file("c", 50, hoursAgo: 1))
    let trim = DiskCacheTrim(maxBytes: 140, maxAge: 3600 * 2, now: now)
    #expect(trim.files(toRemoveFrom: [further, used, future]) == [used])
    let inNameOrder = [future, further].sorted { ($0.name.folder, $0.name.file) < ($1.name.folder, $1.name.file) }
    #expect(DiskCacheTrim(maxBytes: 60, maxAge: nil, now: now).files(toRemoveFrom: [further, future]) == [inNameOrder[0]])
  }
}
