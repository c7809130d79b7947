import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct RefusalsTests {
  private let clock = ManualClock()
  private var refusals = Refusals()

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

  @Test mutating func `a refusal is removed by its number only while no other has replaced it`() throws {
    refusals.insert(refusal(status: 404), of: "a")
    let old = try #require(refusals.refusal(of: "a")).number
    refusals.insert(refusal(status: 410), of: "a")
    let new = try #require(refusals.refusal(of: "a")).number
    refusals.end("a", number: old)
    #expect(refusals.refusal(of: "a")?.refusal.failure.reason == .status(410))
    refusals.end("a", number: new)
    #expect(!refusals.contains("a"))
    #expect(refusals.failures(of: "a") == 2)
    refusals.insert(refusal(status: 404), of: "a")
    #expect(refusals.contains("a") && !refusals.contains("b"))
    refusals.remove("a")
    #expect(!refusals.contains("a"))
    #expect(refusals.count == 0)
  }
}
