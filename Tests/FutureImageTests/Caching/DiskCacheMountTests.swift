#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import Testing

@testable import FutureImage

/// Full and read-only disks. The tests run only where the system permits mounting a small disk.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskCacheMountTests {
  @Test(arguments: [("no space", "size=256k"), ("no inodes", "size=4m,nr_inodes=20")])
  func `a full disk refuses new entries but returns stored entries, and images still load`(fault: String, options: String) async throws {
    guard let mount = TemporaryMount.ifAllowed(options) else { return }
    let directory = mount.url.appendingPathComponent("cache", isDirectory: true)
    try await expectHarmless("\(fault) (tmpfs)", directory, ENOSPC, FutureImage.DiskCache(directory: directory))
    withExtendedLifetime(mount) {}
  }

  @Test func `a disk that became read-only still returns its entries`() async throws {
    guard let mount = TemporaryMount.ifAllowed("size=4m") else { return }
    let directory = mount.url.appendingPathComponent("cache", isDirectory: true)
    let now = Lock(Date())
    let cache = FutureImage.DiskCache(directory: directory, maxAge: nil, now: { now.withLock { $0 } })
    try await cache.store(FutureImage.CacheEntry(body: WholeBody.make(1)), forKey: "before")
    try mount.makeReadOnly()
    // After this time, a read updates the time of the entry's last use, which the disk refuses.
    now.withLock { $0 += 7200 }
    #expect(try await cache.entry(forKey: "before")?.body == WholeBody.make(1))
    try await expectHarmless("read-only (tmpfs)", directory, EROFS, cache)
    withExtendedLifetime(mount) {}
  }
}
#endif
