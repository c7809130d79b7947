import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A memory tier that several futures of one source share, although their transforms or sizes may differ.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MemoryTierTests {
  private let fixture = LoaderFixture()
  private let body = SampleImage.jpeg(64, 48)
  private let cache = NSCache<NSString, UIImage>()

  private func future(
    _ policy: FutureImage.CachePolicy, size: CGSize? = nil, _ transform: FutureImage.Transform? = nil, in fixture: LoaderFixture
  ) -> FutureImage {
    FutureImage(.url(LoaderFixture.url()), cachePolicy: policy, size: size, transform: transform, loader: fixture.loader)
  }

  /// Returns the sizes of the images of two futures with separate loaders. The first future stores its image in the tier before the second
  /// future is created.
  private func sizes(
    of policy: FutureImage.CachePolicy, _ first: (size: CGSize?, transform: FutureImage.Transform?),
    _ second: (size: CGSize?, transform: FutureImage.Transform?)
  ) async throws -> (pixels: [Int?], points: [CGSize]) {
    var (pixels, points): ([Int?], [CGSize]) = ([], [])
    for options in [first, second] {
      let fixture = LoaderFixture()
      let future = future(policy, size: options.size, options.transform, in: fixture)
      if !future.isReady { await fixture.serve("a", body) }
      let image = try await future.value
      pixels.append(image.cgImage?.width)
      points.append(image.size)
    }
    return (pixels, points)
  }

  private func policies() -> [FutureImage.CachePolicy] {
    [.tiers(memory: HeldMemory()), .using(cache: cache, key: UUID().uuidString)]
  }

  @Test func `a future without a transform does not get another future's cropped image`() async throws {
    for policy in policies() {
      let found = try await sizes(of: policy, (nil, .crop(toRatio: 1)), (nil, nil))
      #expect(found.pixels == [48, 64])
    }
  }

  @Test func `a future with a transform gets neither an untransformed image nor an image of another transform`() async throws {
    for policy in policies() {
      #expect(try await sizes(of: policy, (nil, nil), (nil, .crop(toRatio: 1))).pixels == [64, 48])
      #expect(try await sizes(of: policy, (nil, .crop(toRatio: 0.5)), (nil, .crop(toRatio: 1))).pixels == [24, 48])
    }
  }

  @Test func `futures with and without a given size do not get each other's images`() async throws {
    let given = CGSize(width: 32, height: 24)
    for policy in policies() {
      let fullSize = CGSize(width: 64, height: 48)
      #expect(try await sizes(of: policy, (given, nil), (nil, nil)).points == [given, fullSize])
      #expect(try await sizes(of: policy, (nil, nil), (given, nil)).points == [fullSize, given])
    }
  }

  @Test func `a future finds an image stored by another future with the same transform and size`() async throws {
    let memory = HeldMemory()
    let given = CGSize(width: 32, height: 24)
    let first = future(.tiers(memory: memory), size: given, .crop(toRatio: 1), in: fixture)
    await fixture.serve("a", body)
    let image = try await first.value
    let second = future(.tiers(memory: memory), size: given, .crop(toRatio: 1), in: LoaderFixture())
    guard case .ready(image) = second.phase else { return #expect(Bool(false), "\(second.phase)") }
  }

  /// Returns a future whose image has been replaced while the tier still contains the former image.
  private func replacedBeforeRemoved(from memory: HeldMemory) async throws -> FutureImage {
    let first = future(.tiers(memory: memory), in: fixture)
    await fixture.serve("a", TestColor.red.jpeg())
    _ = try await first.value
    await memory.hold(.remove)
    first.reload()
    await fixture.held.waitForHeld()
    fixture.held.resolve(LoaderFixture.url(), with: TestColor.blue.jpeg())
    await memory.waitForHeld()
    return first
  }

  @Test func `a future created during the replacement of an image does not get the old image from a memory tier`() async throws {
    let memory = HeldMemory()
    let first = try await replacedBeforeRemoved(from: memory)
    let second = future(.tiers(memory: memory), in: fixture)
    memory.release()
    #expect(try await second.value.color?.isNearly(.blue) == true)
    #expect(try await first.value.color?.isNearly(.blue) == true)
    await fixture.loader.waitForIdle()
    #expect(memory.image(forKey: "")?.color?.isNearly(.red) != true)
  }

  @Test func `a memory tier does not store an image that has been replaced since it was decoded`() async throws {
    let memory = HeldMemory()
    let first = future(.tiers(memory: memory), in: fixture)
    await fixture.serve("a", TestColor.red.jpeg())
    let former = try await first.value
    let late = future(.tiers(memory: memory), in: fixture)
    memory.remove(forKey: "")
    let picture = try #require(late.withReader(\.picture) ?? nil)
    // Simulates that another image has replaced the image of the key.
    fixture.loader.state.withLock { _ in picture.generation += 1 }
    fixture.loader.store(former, at: 0, of: picture, in: memory)
    #expect(memory.image(forKey: "") == nil)
    withExtendedLifetime(first) {}
  }
}

extension FutureImage {
  fileprivate var isReady: Bool { if case .ready = phase { true } else { false } }
}
