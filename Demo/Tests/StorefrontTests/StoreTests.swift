import Foundation
import FutureImage
import Storefront
import Testing

@Suite struct StoreTests {
  @Test func `the store reports the sizes of its caches, and clears everything that no view shows`() async throws {
    let store = try Store(maxPixelBytes: 32 << 20)
    defer { store.close() }
    let item = try #require(try await store.items().first)
    #expect(await store.cacheSizes().diskCount == 0)
    _ = try await item.primaryImage.value
    await store.loader.waitUntilIdle()
    let sizes = await store.cacheSizes()
    #expect(sizes.pixelBytes == item.width * item.height * 4)
    #expect(sizes.maxPixelBytes == 32 << 20)
    #expect(sizes.diskCount == 1)
    #expect(sizes.diskBytes > 1_000)
    try await store.clearCaches()
    let cleared = await store.cacheSizes()
    let empty = CacheSizes(pixelBytes: 0, maxPixelBytes: sizes.maxPixelBytes, diskBytes: 0, diskLimit: sizes.diskLimit, diskCount: 0)
    #expect(cleared == empty)
  }

  @Test func `the text of each cache size is in bytes, and the text of the count of disk entries has no unit`() {
    let sizes = CacheSizes(pixelBytes: 1_234_567, maxPixelBytes: 2, diskBytes: 3, diskLimit: 4, diskCount: 5)
    #expect(sizes.lines.map(\.text) == ["\(1_234_567.formatted()) bytes", "2 bytes", "5", "3 bytes", "4 bytes"])
  }
}
