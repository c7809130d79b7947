import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The conditions for a revalidation, and the effects of a confirmation, which is a response with the status 304.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RevalidationTests {
  private let time = SettableDate()
  private let old = SampleImage.jpeg(640, 480, red: 200)
  private let new = SampleImage.jpeg(640, 480, red: 10)
  private let fixture: LoaderFixture

  init() {
    let time = time
    fixture = LoaderFixture(disk: .temporary()) {
      $0.retry = .never
      $0.now = { time.now }
    }
  }

  private func headers(_ control: String, tag: Int = 1) -> [String: String] { ["cache-control": control, "etag": "\"\(tag)\""] }

  private func red(_ future: FutureImage) async throws -> Int { try #require(try await future.value.color).red }

  @Test func `an image on disk whose revalidation failed is not revalidated again at once`() async throws {
    let future = fixture.future()
    await fixture.serve("a", old, headers: headers("max-age=60"))
    _ = try await future.value
    time.advance(seconds: 61)
    let second = fixture.future()
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 503))
    await fixture.loader.waitForIdle()
    await fixture.forgetPixels(of: future)
    let third = fixture.future()
    await fixture.loader.waitForIdle()
    #expect(third.phase.name == "fetched")
    #expect(fixture.held.requests.count == 2)
    withExtendedLifetime(second) {}
  }

  @Test func `a fresh image is not revalidated`() async {
    let future = fixture.future()
    await fixture.serve("a", old, headers: headers("max-age=60"))
    future.revalidate()
    #expect(fixture.loader.transferCount == 0)
  }

  @Test func `an image that has replaced another image can be confirmed for a new future`() async throws {
    let first = fixture.future()
    await fixture.serve("a", old, headers: headers("no-cache", tag: 1))
    let second = fixture.future()
    await fixture.serve("a", new, headers: headers("no-cache", tag: 2))
    let third = fixture.future()
    await fixture.held.waitForRequests(3)
    #expect(fixture.held.requests.last?.headers["If-None-Match"] == "\"2\"")
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    #expect(try await red(third) < 60)
    #expect(fixture.held.requests.count == 3)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a confirmation that changes nothing is not written to the disk tier`() async {
    let tier = HeldTier()
    let first = fixture.future(policy: .tiers(disk: tier))
    await fixture.serve("a", old, headers: headers("no-cache"))
    let second = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    await fixture.loader.waitForIdle()
    #expect(second.phase.name == "fetched")
    #expect(tier.stores == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `the failures of a source are forgotten when the source delivers its image`() async {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    let (key, failureEntry) = (SourceKey(LoaderFixture.url().absoluteString), fixture.loader.remembered(FutureImage.Failure(.status(404))))
    fixture.loader.state.withLock { state in
      if let picture = state.pictures[key] { picture.remembered.failureMemory.insert(failureEntry, &state.departed) }
    }
    #expect(fixture.loader.failureCount(of: key) == 1)
    await fixture.serve("a", old)
    #expect(future.phase.name == "fetched")
    #expect(fixture.loader.failureCount(of: key) == 0)
  }

  /// Leaves the beginning of a body in the loader. A canceled attempt does the same if it ends after the next attempt has begun.
  private func leaveBeginning() throws {
    let response = FutureImage.Response(status: 200, headers: ["etag": "\"0\""], expectedBytes: 60_000)
    let partial = try #require(PartialBody(Data(count: 30_000), of: response))
    fixture.loader.state.withLock { state in
      let picture = state.pictures.picture(SourceKey(LoaderFixture.url().absoluteString))
      state.bytes.hold(ByteBudget.Beginning(partial, from: LoaderFixture.url()), in: picture, &state.departed)
    }
  }

  @Test func `a body that broke off is not continued after another attempt has fetched or confirmed the image`() async throws {
    let first = fixture.future()
    await fixture.held.waitForHeld()
    try leaveBeginning()
    await fixture.serve("a", old, headers: headers("no-cache"))
    let second = fixture.future()
    await fixture.held.waitForRequests(2)
    try #require(fixture.held.requests.last?.headers == ["If-None-Match": "\"1\""])
    try leaveBeginning()
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    await fixture.loader.waitForIdle()
    let third = fixture.future()
    await fixture.held.waitForRequests(3)
    #expect(fixture.held.requests.last?.headers == ["If-None-Match": "\"1\""])
    withExtendedLifetime((first, second, third)) {}
  }

  @Test(arguments: [true, false])
  func `a body that broke off is not continued after the app has set an image`(isCanceledBefore: Bool) async throws {
    let first = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.begin(with: old.prefix(old.count / 2), of: old.count, headers: headers("no-cache"))
    if isCanceledBefore {
      first.cancel()
      await waitWhile(fixture.loader.heldByteCount == 0)
    }
    try await fixture.loader.set(new, forKey: first.key)
    // The attempt that `set` or `cancel` has canceled may end later.
    await waitWhile(fixture.loader.slotCount > 0)
    #expect(fixture.loader.heldByteCount == 0)
    await fixture.loader.waitForIdle()
    time.advance(seconds: 61)
    let second = fixture.future()
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers["Range"] == nil)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `an image is not removed from disk if the server replaces it with bytes that cannot be decoded`() async throws {
    let (tier, red, noise) = (HeldTier(), TestColor.red.jpeg(), SampleImage.noise(640, 480))
    let first = fixture.future(policy: .tiers(disk: tier))
    await fixture.serve("a", red, headers: headers("no-cache"))
    withExtendedLifetime(first) {}
    // The second loader is like the loader of a relaunched app, in which only the tier has the image.
    let later = LoaderFixture()
    let future = later.future(policy: .tiers(disk: tier))
    await later.serve("a", noise.prefix(noise.count / 2))
    #expect(later.held.requests.first?.headers["If-None-Match"] == "\"1\"")
    #expect(future.failure?.reason.isUndecodable == true)
    #expect(tier.body == red)
  }
}
