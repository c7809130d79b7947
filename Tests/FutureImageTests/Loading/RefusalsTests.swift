import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct RefusalsTests {
  private let clock = ManualClock()
  private var refusals = Refusals()
  private var departed = Departed()

  private func refusal(status: Int) -> Refusals.Refusal {
    Refusals.Refusal(FutureImage.Failure(.status(status)), memory: .seconds(10), clock: clock)
  }

  @Test func `a failure holds for its memory, and one without never does`() {
    for status in [404, 503] {
      let refusal = refusal(status: status)
      #expect(refusal.answers && refusal.holds)
    }
    let forgotten = Refusals.Refusal(FutureImage.Failure(.status(404)), memory: .zero, clock: clock)
    #expect(!forgotten.answers && !forgotten.holds)
    #expect(!Refusals.Refusal(passing: FutureImage.Failure(.status(503))).holds)
    let (permanent, transient) = (refusal(status: 404), refusal(status: 503))
    clock.advance(by: .seconds(10))
    #expect(!permanent.holds && !transient.holds)
  }

  @Test mutating func `a refusal ends only while no other has replaced it, and is still counted`() {
    let (old, new) = (refusal(status: 404), refusal(status: 410))
    refusals.insert(old, &departed)
    refusals.insert(new, &departed)
    refusals.end(old, &departed)
    #expect(refusals.latest === new)
    refusals.end(new, &departed)
    #expect(refusals.latest == nil && refusals.count == 2)
    refusals.insert(old, &departed)
    #expect(refusals.latest === old && refusals.count == 3)
    refusals.removeAll(&departed)
    #expect(refusals.latest == nil && refusals.isEmpty)
  }

  @Test mutating func `a permanent failure that answers has not passed`() {
    refusals.insert(refusal(status: 503), &departed)
    #expect(refusals.mayHavePassed)
    let permanent = refusal(status: 404)
    refusals.insert(permanent, &departed)
    #expect(!refusals.mayHavePassed)
    refusals.end(permanent, &departed)
    #expect(refusals.mayHavePassed)
  }
}
