import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The loader's count of the stores and removals that are under way in memory tiers. While there are any, a memory tier may still have an
/// image that was replaced.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MemoryChangeTests {
  private final class RecordingMemory: FutureImage.MemoryTier {
    private let recorded = Lock<[String]>([])

    var calls: [String] { recorded.withLock { $0 } }

    func image(forKey key: String) -> UIImage? { nil }
    func store(_ image: UIImage, forKey key: String) { recorded.withLock { $0.append("store") } }
    func remove(forKey key: String) { recorded.withLock { $0.append("remove") } }
  }

  private let fixture = LoaderFixture()
  private let key = SourceKey(LoaderFixture.url().absoluteString)

  private var isSettled: Bool { fixture.loader.state.withLock { $0.pictures[key]?.notes.memoryChanges == 0 } }

  @Test func `after a fetch, a reload, or a call of set, no change of a memory tier is pending`() async throws {
    let memory = RecordingMemory()
    let futures = (0..<2).map { _ in fixture.future(policy: .tiers(memory: memory)) }
    await fixture.serve("a", TestColor.red.jpeg())
    _ = try await futures[0].value
    #expect(isSettled && memory.calls.contains("store"))
    futures[0].reload()
    await fixture.serve("a", TestColor.blue.jpeg())
    #expect(isSettled)
    try await fixture.loader.set(SampleImage.image(), forKey: key.text)
    await fixture.loader.waitForIdle()
    #expect(isSettled)
    #expect(futures.allSatisfy { $0.generation == 2 })
  }

  @Test func `a memory tier stores the newest image, but never stores an image that has been replaced`() async throws {
    let (memory, future) = (RecordingMemory(), fixture.future(policy: .modelOnly))
    try await fixture.loader.set(SampleImage.image(), forKey: key.text)
    await fixture.loader.waitForIdle()
    let picture = try #require(fixture.loader.state.withLock { $0.pictures[key] })
    // The call of `set` has increased the generation of the key's image to 1, so an image of generation 0 has been replaced.
    fixture.loader.store(SampleImage.image(), at: 0, of: picture, in: memory)
    #expect(memory.calls.isEmpty && isSettled)
    fixture.loader.store(SampleImage.image(), at: 1, of: picture, in: memory)
    #expect(memory.calls == ["store"] && isSettled)
    withExtendedLifetime(future) {}
  }
}
