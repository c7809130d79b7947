import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Loops over the phases of a future.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PhasesTests {
  private let fixture = LoaderFixture()

  private func names(of phases: AsyncStream<FutureImage.Phase>) -> Task<[String], Never> {
    Task { await phases.reduce(into: []) { $0.append($1.name) } }
  }

  @Test func `each of two loops over the phases of a future gets the current phase and the final phase`() async {
    let tier = HeldTier()
    tier.holdReads()
    let future = fixture.future(policy: .tiers(disk: tier))
    let loops = [names(of: future.phases()), names(of: future.phases())]
    future.cancel()
    for loop in loops { #expect(await loop.value == ["waiting", "failed"]) }
    tier.release()
  }

  @MainActor @Test func `phases(fitting:) includes the phases between the first phase and the final phase`() async {
    let tier = HeldTier()
    tier.holdReads()
    let (future, body) = (fixture.future(policy: .tiers(disk: tier)), SampleImage.jpeg())
    let loop = names(of: future.phases(fitting: .full))
    tier.release()
    await fixture.held.waitForHeld()
    fixture.held.begin(with: body.prefix(body.count / 2), of: body.count)
    await fixture.loader.delivered()
    future.cancel()
    let names = await loop.value
    #expect(names.first == "waiting" && names.contains("loading") && names.last == "failed")
  }
}
