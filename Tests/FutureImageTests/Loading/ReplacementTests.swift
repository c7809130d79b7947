import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Reloads that return another image while the old image is still being decoded, delivered, or stored.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReplacementTests {
  let decoder = GatedDecoder()
  let fixture: LoaderFixture

  init() {
    let decoder = decoder
    fixture = LoaderFixture { $0.decoder = decoder }
  }

  @Test func `views show the new image, even if a decode of the old image is delivered after the replacement`() async {
    let memory = HeldMemory()
    await memory.hold(.store)
    let futures = [fixture.future(policy: .tiers(memory: memory)), fixture.future(policy: .tiers(memory: memory))]
    let views = [imageView(1200), imageView(1200)]
    // Before a reload replaces the image, the loader decodes the new image once as a trial. If the old image has pixels of only one size,
    // views show the pixels of the trial. Here it has pixels of two sizes, so the new image is decoded again after the replacement.
    let small = fixture.future()
    small.wait(.square(8)) { _ in }
    for (future, view) in zip(futures, views) { view.futureImage = future }
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: TestColor.red.jpeg(1200, 900))
    await memory.waitForHeld()
    await waitWhile(fixture.loader.pool.decodes(of: small.descriptor?.key ?? "").count < 2)
    // The trial passes, and the next decode is held.
    decoder.close(width: 1200, passing: 1)
    futures[0].reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: TestColor.blue.jpeg(1200, 900))
    await waitWhile(!futures.allSatisfy({ $0.generation == 1 && $0.requestsPixels }))
    memory.release()
    await decoder.waitForHeld()
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(views.allSatisfy { TestColor.blue.isNearly($0.image?.color) })
  }

  @Test func `a view that is bound while its image is replaced shows the new image in the end`() async {
    let (old, new) = (TestColor.red.jpeg(), TestColor.blue.jpeg())
    var wrong = 0
    for round in 0..<60 {
      let fixture = LoaderFixture()
      let futures = (0..<10).map { _ in fixture.future("\(round)") }
      let views = futures.map { _ in imageView(64) }
      await fixture.serve("\(round)", old)
      _ = try? await futures[0].value
      futures[0].reload()
      await fixture.held.waitForRequests(2)
      Task.detached { fixture.held.resolve(with: new) }
      for _ in 0..<3 {
        for (future, view) in zip(futures, views) { view.futureImage = future }
        await Task.yield()
      }
      await fixture.loader.waitForIdle()
      wrong += views.count { !TestColor.blue.isNearly($0.image?.color) }
    }
    #expect(wrong == 0)
  }

  @Test func `a smaller decode that ends later does not replace a larger decode`() async throws {
    let future = fixture.future()
    await fixture.serve()
    decoder.close(width: 150)
    let small = Task { try await future.value(fitting: .square(150)) }
    await decoder.waitForHeld()
    let whole = try await future.value
    decoder.open()
    _ = try await small.value
    await fixture.loader.waitForIdle()
    guard case .ready(let image) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    #expect(image === whole)
  }

  @Test func `a larger new image that is decoded at a reduced size replaces a smaller old image`() async {
    let view = imageView(600)
    let future = fixture.future()
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(600, 450))
    future.reload()
    await fixture.held.waitForRequests(2)
    await fixture.serve("a", SampleImage.jpeg(2400, 1800))
    #expect(view.image?.size.width == 2400)
    guard case .ready(let image) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    #expect(image === view.image)
  }

  @Test func `a memory tier does not retain a replaced image`() async throws {
    let cache = NSCache<NSString, UIImage>()
    let first = fixture.future(policy: .using(cache: cache, key: "k"))
    await fixture.serve("a", TestColor.red.jpeg())
    _ = try await first.value
    first.reload()
    await fixture.held.waitForRequests(2)
    await fixture.serve("a", TestColor.blue.jpeg())
    let second = fixture.future(policy: .using(cache: cache, key: "k"))
    #expect(TestColor.blue.isNearly(try await second.value.color))
  }

  @Test func `a memory tier does not retain an old image whose store was in progress`() async throws {
    let memory = HeldMemory()
    await memory.hold(.store)
    let first = fixture.future(policy: .tiers(memory: memory))
    await fixture.serve("a", TestColor.red.jpeg())
    async let old = first.value
    await memory.waitForHeld()
    first.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: TestColor.blue.jpeg())
    await waitWhile(first.generation == 0)
    memory.release()
    _ = try await old
    await fixture.loader.waitForIdle()
    let second = fixture.future(policy: .tiers(memory: memory))
    #expect(TestColor.blue.isNearly(try await second.value.color))
  }

  @Test(.timeLimit(.minutes(5))) func `a new future gets the newest image while that image still waits to be stored`() async throws {
    let (fixture, tier) = (LoaderFixture(), HeldTier())
    tier.holdStores()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: TestColor.red.jpeg())
    _ = try await future.value
    await tier.waitForStores()
    future.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: TestColor.blue.jpeg())
    await waitWhile(future.generation == 0)
    // The first image is stored, and the store of the second image is held.
    tier.release()
    tier.holdStores()
    await tier.waitForStores(2)
    let newcomer = fixture.future(policy: .tiers(disk: tier))
    #expect(TestColor.blue.isNearly(try await newcomer.value.color))
    // The lookup of the first future made the only read.
    #expect(tier.readsBegun == 1)
    #expect(fixture.held.requests.count == 2)
    tier.release()
    await fixture.loader.waitForIdle()
  }

  @Test(.timeLimit(.minutes(5)))
  func `an image that waits to be stored is found even after many other images are replaced`() async throws {
    let (fixture, tier) = (LoaderFixture(), HeldTier())
    tier.holdStores()
    var future: FutureImage? = fixture.future("kept", policy: .tiers(disk: tier))
    await replace(future, "kept", in: fixture)
    future = nil
    for number in 0..<300 { await replace(fixture.future("\(number)", policy: .modelOnly), "\(number)", in: fixture) }
    let requests = fixture.held.requests.count
    let newcomer = fixture.future("kept", policy: .tiers(disk: tier))
    await waitWhile(newcomer.phase.name == "loading" && fixture.held.heldCount == 0)
    #expect(newcomer.phase.name == "fetched")
    #expect(fixture.held.requests.count == requests)
    newcomer.cancel()
    tier.release()
    await fixture.loader.waitForIdle()
  }

  /// Loads an image, and replaces the image with another image.
  private func replace(_ future: FutureImage?, _ name: String, in fixture: LoaderFixture) async {
    await fixture.held.waitForHeld()
    fixture.held.resolve(LoaderFixture.url(name), with: TestColor.red.jpeg())
    await waitWhile(future?.phase.name != "fetched")
    future?.reload()
    await fixture.held.waitForHeld()
    fixture.held.resolve(LoaderFixture.url(name), with: TestColor.blue.jpeg())
    await waitWhile(future?.generation == 0)
  }
}
