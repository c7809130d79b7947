import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Disk tiers that are broken, full, or slow.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DiskFaultTests {
  let fixture = LoaderFixture()

  @Test func `if two tasks await an image in two sizes and its disk entry is corrupt, the image is fetched again for both`() async throws {
    let good = SampleImage.noise(600, 450)
    let tier = HeldTier(good.prefix(good.count / 2))
    tier.holdReads()
    let future = fixture.future(policy: .tiers(disk: tier))
    let widths = Lock<[Int?]>([])
    for fitting in [FutureImage.Fitting.square(150), .full] {
      future.wait(fitting) { result in widths.withLock { $0.append((try? result.get())?.cgImage?.width) } }
    }
    tier.release()
    let responder = Task {
      while !Task.isCancelled {
        await fixture.held.waitForHeld()
        fixture.held.resolve(with: good)
      }
    }
    await fixture.held.waitForRequests()
    await fixture.loader.waitForIdle()
    responder.cancel()
    #expect(widths.withLock { $0.count } == 2)
    #expect(widths.withLock { $0.contains(600) && !$0.contains(nil) })
    #expect(tier.body == good)
  }

  @Test func `a corrupt body from a tier is not used again, even if another future still has the body`() async throws {
    let good = SampleImage.noise(600, 450)
    let fixture = LoaderFixture { $0.retry = .never }
    let (first, second) = (fixture.future(policy: .modelOnly), fixture.future(policy: .modelOnly))
    await fixture.held.waitForHeld()
    // Both futures get the bytes as if a future with a tier had just read them.
    let size = FutureImage.PixelSize(width: 600, height: 450)
    let corrupt = Encoded(data: good.prefix(good.count / 2), size: size, isFromDisk: true)
    for future in [first, second] { future.give(corrupt) }
    await fixture.loader.waitForIdle()
    #expect(second.retainedBytes?.isFromDisk == true)
    let value = Task { try await second.value }
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: good)
    #expect(try await value.value.cgImage?.width == 600)
  }

  @MainActor @Test func `a view that is bound while the store fails gets the image without a second request`() async {
    let tier = HeldTier()
    tier.fill()
    tier.holdStores()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: SampleImage.jpeg(1200, 900))
    await tier.waitForStores()
    let early = imageView(150)
    early.futureImage = future
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(early.image?.cgImage?.width == 150)
    let late = imageView(1200)
    late.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(late.image?.cgImage?.width == 1200)
    #expect(fixture.held.requests.count == 1)
    #expect(fixture.loader.statistics.cacheFaults > 0)
  }

  @Test func `bytes that no tier could store are used from memory, without another lookup or request`() async throws {
    let tier = HeldTier()
    tier.fill()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.serve()
    await fixture.loader.waitForIdle()
    #expect(future.retainedBytes != nil)
    future.requestBytesAgain()
    await fixture.loader.waitForIdle()
    #expect(tier.readsBegun == 1)
    #expect(!future.requestsBytes)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `after a tier could not store a reloaded image, a new future does not get the old image`() async throws {
    let tier = HeldTier(TestColor.red.jpeg())
    let first = fixture.future(policy: .tiers(disk: tier))
    #expect(TestColor.red.isNearly(try await first.value.color))
    tier.fill()
    first.reload()
    await fixture.serve("a", TestColor.blue.jpeg())
    fixture.loader.removeCachedPixels()
    let second = fixture.future(policy: .tiers(disk: tier))
    let responder = Task {
      await fixture.held.waitForHeld()
      fixture.held.resolve(with: TestColor.blue.jpeg())
    }
    #expect(TestColor.blue.isNearly(try await second.value.color))
    responder.cancel()
  }

  @Test func `bytes that wait to be stored in one tier are also stored in the tier of a later future`() async throws {
    let (slow, late) = (HeldTier(), HeldTier())
    slow.holdStores()
    let first = fixture.future(policy: .tiers(disk: slow))
    let jpeg = SampleImage.jpeg()
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: jpeg)
    await slow.waitForStores()
    let second = fixture.future(policy: .tiers(disk: late))
    _ = try await second.value
    slow.release()
    await fixture.loader.waitForIdle()
    #expect(late.stores == 1)
    #expect(late.body == jpeg)
    #expect(slow.body == jpeg)
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `bytes that wait to be stored in one tier are also stored in another tier that is being read`() async throws {
    let (other, requested) = (HeldTier(), HeldTier())
    requested.holdReads()
    let second = fixture.future(policy: .tiers(disk: requested))
    await requested.waitForReads()
    let first = fixture.future(policy: .tiers(disk: other))
    let jpeg = SampleImage.jpeg()
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: jpeg)
    // The write waits, because a lookup is under way.
    await waitWhile(first.requestsBytes)
    requested.release()
    _ = try await second.value
    await fixture.loader.waitForIdle()
    #expect(requested.body == jpeg)
    #expect(other.body == jpeg)
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `if a newer image arrives and no tier stores that image, the older bytes that still wait to be stored are not used`()
    async throws
  {
    let tier = HeldTier()
    tier.holdStores()
    weak var gone: FutureImage?
    do {
      let first = fixture.future(policy: .tiers(disk: tier))
      gone = first
      await fixture.held.waitForRequests()
      fixture.held.resolve(with: TestColor.red.jpeg())
      await tier.waitForStores()
    }
    // The thread that delivered the bytes may retain the first future for a moment. Until the future is released, its tier would get the
    // newer image, too.
    await waitWhile(gone != nil)
    let second = fixture.future(policy: .modelOnly)
    second.reload()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: TestColor.blue.jpeg())
    await waitWhile(fixture.loader.generation(of: SourceKey(second.key)) != 1)
    // The size differs, because otherwise the third future would use the pixels of the second future.
    let third = fixture.future(policy: .tiers(disk: tier), size: CGSize(width: 4, height: 3))
    await fixture.held.waitForRequests(3)
    fixture.held.resolve(with: TestColor.blue.jpeg())
    #expect(TestColor.blue.isNearly(try await third.value.color))
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(tier.body == TestColor.blue.jpeg())
    #expect(fixture.held.requests.count == 3)
  }

  @Test func `bytes that wait to be stored in one tier do not replace the image that another tier has`() async throws {
    let (other, requested) = (HeldTier(), HeldTier(TestColor.blue.jpeg()))
    requested.holdReads()
    let second = fixture.future(policy: .tiers(disk: requested))
    await requested.waitForReads()
    let first = fixture.future(policy: .tiers(disk: other))
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: TestColor.red.jpeg())
    // The write waits, because a lookup is under way.
    await waitWhile(first.requestsBytes)
    requested.release()
    #expect(TestColor.blue.isNearly(try await second.value.color))
    await fixture.loader.waitForIdle()
    #expect(requested.stores == 0 && other.stores == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `hundreds of futures that wait for one lookup all get the image`() async {
    let tier = HeldTier(SampleImage.jpeg())
    tier.holdReads()
    let futures = (0..<600).map { _ in fixture.future(policy: .tiers(disk: tier)) }
    await tier.waitForReads()
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(futures.allSatisfy { $0.phase.name == "fetched" })
    #expect(tier.readsBegun == 1)
    #expect(fixture.held.requests.isEmpty)
  }
}
