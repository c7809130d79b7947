import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The counts of a loader's pending work.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ActivityTests {
  private let decoder = GatedDecoder()
  private let tier = HeldTier()
  private let fixture: LoaderFixture

  init() { fixture = LoaderFixture { [decoder] in $0.decoder = decoder } }

  @Test func `a transfer, a lookup, and a decode each count as a run`() async {
    let transferred = fixture.future("transferred", policy: .modelOnly)
    await fixture.held.waitForHeld()
    #expect(fixture.loader.activity.runs == 1)

    let tierWithImage = HeldTier(SampleImage.jpeg())
    tierWithImage.holdReads()
    let found = fixture.future("found", policy: .tiers(disk: tierWithImage))
    await tierWithImage.waitForReads()
    #expect(fixture.loader.activity.runs == 2)

    decoder.close()
    transferred.wait(.full) { _ in }
    fixture.held.resolve(with: SampleImage.jpeg())
    await decoder.waitForHeld()
    await waitWhile(fixture.loader.transferCount > 0)
    #expect(fixture.loader.activity.runs == 2)

    decoder.open()
    tierWithImage.release()
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.activity.runs == 0)
    withExtendedLifetime(found) {}
  }

  @Test func `a write in progress counts as a run, and the next write in the same tier is not counted`() async {
    tier.holdStores()
    let first = fixture.future("first", policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await tier.waitForStores()
    let second = fixture.future("second", policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await waitWhile(!fixture.loader.state.withLock({ $0.isQuiet && $0.fetches.isEmpty }) || fixture.loader.writeCount != 2)
    let activity = fixture.loader.activity
    #expect(activity.runs == 1)
    #expect(activity.work == 0)
    tier.release()
    await fixture.loader.waitForIdle()
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a write that can start at once counts as work`() async {
    _ = fixture.loader.configuration.writes.add(.removal(tier.location, by: fixture.loader))
    #expect(fixture.loader.activity.work == 1)
    #expect(fixture.loader.activity.runs == 0)
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.activity.work == 0)
  }

  @Test func `a write that waits for a decode counts neither as a run nor as work`() async {
    decoder.close()
    let future = fixture.future(policy: .tiers(disk: tier))
    future.wait(.full) { _ in }
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await decoder.waitForHeld()
    await waitWhile(!fixture.loader.state.withLock({ $0.work.pending == 0 && $0.fetches.isEmpty }) || fixture.loader.writeCount != 1)
    let activity = fixture.loader.activity
    // The decode is the only run.
    #expect(activity.runs == 1)
    #expect(activity.work == 0)
    decoder.open()
    await fixture.loader.waitForIdle()
  }

  @Test func `a delivery counts once, as a delivery and not as work`() async {
    fixture.loader.deliver {}
    let activity = fixture.loader.activity
    #expect(activity.deliveries == 1)
    #expect(activity.work == 0)
    await fixture.loader.delivered()
  }
}
