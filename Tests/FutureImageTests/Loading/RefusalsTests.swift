import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct RefusalsTests {
  private let clock = ManualClock()
  private var refusals = Refusals()

  private func refusal(status: Int) -> Refusals.Refusal {
    Refusals.Refusal(FutureImage.Failure(.status(status)), memory: .seconds(10), clock: clock)
  }

  @Test func `a permanent failure holds for a while, and one worth retrying never does`() {
    let (permanent, passing) = (refusal(status: 404), refusal(status: 503))
    #expect(permanent.holds)
    #expect(!passing.holds)
    #expect(!Refusals.Refusal(passing: FutureImage.Failure(.status(503))).holds)
    clock.advance(by: .milliseconds(9_999))
    #expect(permanent.holds)
    clock.advance(by: .milliseconds(1))
    #expect(!permanent.holds)
  }

  @Test mutating func `a refusal is removed by its number only while no other has replaced it`() throws {
    refusals.insert(refusal(status: 404), of: "a")
    let old = try #require(refusals.refusal(of: "a")).number
    refusals.insert(refusal(status: 410), of: "a")
    let new = try #require(refusals.refusal(of: "a")).number
    refusals.remove("a", number: old)
    #expect(refusals.refusal(of: "a")?.refusal.failure.reason == .status(410))
    refusals.remove("a", number: new)
    #expect(!refusals.contains("a"))
    refusals.insert(refusal(status: 404), of: "a")
    #expect(refusals.contains("a") && !refusals.contains("b"))
    refusals.remove("a")
    #expect(!refusals.contains("a"))
    #expect(refusals.count == 0)
  }
}
