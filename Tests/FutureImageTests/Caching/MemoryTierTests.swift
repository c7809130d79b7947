import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// One memory tier under futures that want different pictures of one source.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MemoryTierTests {
  private let shop = Shop()
  private let body = Picture.jpeg(64, 48)
  private let cache = NSCache<NSString, UIImage>()

  private func future(
    _ policy: FutureImage.CachePolicy, size: CGSize? = nil, _ transform: FutureImage.Transform? = nil, in shop: Shop
  ) -> FutureImage {
    FutureImage(.url(Shop.url()), cachePolicy: policy, size: size, transform: transform, loader: shop.loader)
  }

  /// The picture that a future of one loader leaves in the tier, and then that of another future, of another loader.
  private func sizes(
    of policy: FutureImage.CachePolicy, _ first: (size: CGSize?, transform: FutureImage.Transform?),
    _ second: (size: CGSize?, transform: FutureImage.Transform?)
  ) async throws -> (pixels: [Int?], points: [CGSize]) {
    var (pixels, points): ([Int?], [CGSize]) = ([], [])
    for wish in [first, second] {
      let shop = Shop()
      let future = future(policy, size: wish.size, wish.transform, in: shop)
      if !future.isReady { await shop.serve("a", body) }
      let image = try await future.value
      pixels.append(image.cgImage?.width)
      points.append(image.size)
    }
    return (pixels, points)
  }

  private func policies() -> [FutureImage.CachePolicy] {
    [.tiers(memory: HeldMemory()), .using(cache: cache, key: UUID().uuidString)]
  }

  @Test func `a plain future is not given another future's crop`() async throws {
    for policy in policies() {
      let found = try await sizes(of: policy, (nil, .crop(toRatio: 1)), (nil, nil))
      #expect(found.pixels == [48, 64])
    }
  }

  @Test func `a future with a transform is not given another future's whole picture, nor another transform's`() async throws {
    for policy in policies() {
      #expect(try await sizes(of: policy, (nil, nil), (nil, .crop(toRatio: 1))).pixels == [64, 48])
      #expect(try await sizes(of: policy, (nil, .crop(toRatio: 0.5)), (nil, .crop(toRatio: 1))).pixels == [24, 48])
    }
  }

  @Test func `a picture in the size that its future was given is not another future's`() async throws {
    let given = CGSize(width: 32, height: 24)
    for policy in policies() {
      let natural = CGSize(width: 64, height: 48)
      #expect(try await sizes(of: policy, (given, nil), (nil, nil)).points == [given, natural])
      #expect(try await sizes(of: policy, (nil, nil), (given, nil)).points == [natural, given])
    }
  }

  @Test func `a future finds what one with the same transform and size left there`() async throws {
    let memory = HeldMemory()
    let given = CGSize(width: 32, height: 24)
    let first = future(.tiers(memory: memory), size: given, .crop(toRatio: 1), in: shop)
    await shop.serve("a", body)
    let image = try await first.value
    let second = future(.tiers(memory: memory), size: given, .crop(toRatio: 1), in: Shop())
    guard case .ready(image) = second.phase else { return #expect(Bool(false), "\(second.phase)") }
  }

  /// A future whose image is in the tier and has been replaced, which the tier has not been told yet.
  private func replacedBeforeRemoved(from memory: HeldMemory) async throws -> FutureImage {
    let first = future(.tiers(memory: memory), in: shop)
    await shop.serve("a", Colour.red.jpeg())
    _ = try await first.value
    await memory.hold(.remove)
    first.reload()
    await shop.held.waitForHeld()
    shop.held.resolve(Shop.url(), with: Colour.blue.jpeg())
    await memory.waitForHeld()
    return first
  }

  @Test func `a future that is made while an image is being replaced does not get the former one from a memory tier`() async throws {
    let memory = HeldMemory()
    let first = try await replacedBeforeRemoved(from: memory)
    let second = future(.tiers(memory: memory), in: shop)
    memory.letGo()
    #expect(try await second.value.colour?.isNearly(.blue) == true)
    #expect(try await first.value.colour?.isNearly(.blue) == true)
    await shop.loader.settled()
    #expect(memory.image(forKey: "")?.colour?.isNearly(.red) != true)
  }

  @Test func `a future that has not learned that its image was replaced puts the former one into no memory tier`() async throws {
    let memory = HeldMemory()
    let first = future(.tiers(memory: memory), in: shop)
    await shop.serve("a", Colour.red.jpeg())
    let former = try await first.value
    let late = future(.tiers(memory: memory), in: shop)
    let descriptor = try #require(late.descriptor)
    memory.remove(forKey: "")
    // The loader knows of the new image, and its futures are about to be told.
    let generation = shop.loader.state.withLock { $0.pictures.replace(descriptor.key) }
    #expect(generation == 1 && late.state.withLock { $0.revision } == 0)
    late.adopt(former, 0, descriptor)
    #expect(memory.image(forKey: "") == nil)
    withExtendedLifetime(first) {}
  }
}

extension FutureImage {
  fileprivate var isReady: Bool { if case .ready = phase { true } else { false } }
}
