import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The share of a disk cache that one entry may take.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskCacheShareTests {
  @Test func `an entry as large as its whole cache is stored and read`() async throws {
    let cacheFixture = try DiskCacheFixture()
    let disk = cacheFixture.cache(maxBytes: 1 << 20)
    try await disk.store(entry(fileBytes: 1 << 20), forKey: "a")
    #expect(try await disk.entry(forKey: "a") != nil)
  }

  @Test func `entries that exceed both 1 MiB and an eighth of their cache are refused, and only one refusal is reported`() async throws {
    let disk = FutureImage.DiskCache(directory: Scratch.folder(), maxBytes: 16 << 20)
    let entry = FutureImage.CacheEntry(body: Data(count: 2 << 20))
    await #expect { try await disk.store(entry, forKey: "a") } throws: { ($0 as? FutureImage.FileFailure)?.isTooLarge == true }
    try await disk.store(FutureImage.CacheEntry(body: Data(count: (2 << 20) - 1_000)), forKey: "a")
    let small = FutureImage.DiskCache(directory: Scratch.folder(), maxBytes: 1 << 20)
    try await small.store(FutureImage.CacheEntry(body: Data(count: 1_000_000)), forKey: "a")

    let fixture = LoaderFixture(disk: disk)
    let picture = SampleImage.jpeg()
    // The comment segments make the image larger.
    let segments = (0..<40).reduce(into: Data()) { data, _ in data += Data([0xFF, 0xFE, 0xFF, 0xFF]) + Data(count: 65_533) }
    let large = picture.prefix(2) + segments + picture.dropFirst(2)
    var futures: [FutureImage] = []
    for number in 0..<3 {
      futures.append(fixture.future("\(number)"))
      await fixture.serve("\(number)", large)
    }
    #expect(fixture.loader.statistics.cacheFaults == 1)
    #expect(try await futures[0].value.size == CGSize(width: 64, height: 48))
  }
}
