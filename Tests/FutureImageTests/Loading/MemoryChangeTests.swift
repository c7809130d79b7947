import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The loader's record of memory tiers that may have a replaced image.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MemoryChangeTests {
  private final class NotingMemory: FutureImage.MemoryTier {
    private let noted = Lock<[String]>([])

    var calls: [String] { noted.withLock { $0 } }

    func image(forKey key: String) -> UIImage? { nil }
    func store(_ image: UIImage, forKey key: String) { noted.withLock { $0.append("store") } }
    func remove(forKey key: String) { noted.withLock { $0.append("remove") } }
  }

  private let shop = Shop()
  private let key = SourceKey(Shop.url().absoluteString)

  private var isSettled: Bool { shop.loader.state.withLock { $0.pictures[key]?.notes.memoryChanges == 0 } }

  @Test func `memory tiers are settled once a fetch, a reload, or a set image was delivered`() async throws {
    let futures = [shop.future(policy: .modelOnly), shop.future(policy: .modelOnly)]
    await shop.serve("a", Colour.red.jpeg())
    #expect(isSettled)
    futures[0].reload()
    await shop.serve("a", Colour.blue.jpeg())
    #expect(isSettled)
    try await shop.loader.set(Picture.image(), forKey: key.text)
    await shop.loader.waitUntilSettled()
    #expect(isSettled)
    #expect(futures.allSatisfy { $0.generation == 2 })
  }

  @Test func `a memory tier gets the newest image and none that has been replaced`() async throws {
    let (memory, future) = (NotingMemory(), shop.future(policy: .modelOnly))
    try await shop.loader.set(Picture.image(), forKey: key.text)
    await shop.loader.waitUntilSettled()
    let picture = try #require(shop.loader.state.withLock { $0.pictures[key] })
    shop.loader.store(Picture.image(), at: 0, of: picture, in: memory)
    #expect(memory.calls.isEmpty && isSettled)
    shop.loader.store(Picture.image(), at: 1, of: picture, in: memory)
    #expect(memory.calls == ["store"] && isSettled)
    withExtendedLifetime(future) {}
  }
}
