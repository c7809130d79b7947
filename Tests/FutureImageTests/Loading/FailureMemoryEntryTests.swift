import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct FailureMemoryEntryTests {
  private let clock = ManualClock()
  private var failureMemory = FailureMemory()
  private var departed = Departed()

  private func refusal(status: Int) -> FailureMemory.Entry {
    FailureMemory.Entry(FutureImage.Failure(.status(status)), memory: .seconds(10), clock: clock)
  }

  @Test func `a remembered failure answers requests until it expires, or not at all if its lifetime is zero`() {
    for status in [404, 503] {
      let refusal = refusal(status: status)
      #expect(refusal.answers && refusal.holds)
    }
    let forgotten = FailureMemory.Entry(FutureImage.Failure(.status(404)), memory: .zero, clock: clock)
    #expect(!forgotten.answers && !forgotten.holds)
    #expect(!FailureMemory.Entry(passing: FutureImage.Failure(.status(503))).holds)
    let (permanent, transient) = (refusal(status: 404), refusal(status: 503))
    clock.advance(by: .seconds(10))
    #expect(!permanent.holds && !transient.holds)
  }

  @Test mutating func `ending a failure leaves a newer failure in place, and the count includes ended failures`() {
    let (old, new) = (refusal(status: 404), refusal(status: 410))
    failureMemory.insert(old, &departed)
    failureMemory.insert(new, &departed)
    failureMemory.end(old, &departed)
    #expect(failureMemory.latest === new)
    failureMemory.end(new, &departed)
    #expect(failureMemory.latest == nil && failureMemory.count == 2)
    failureMemory.insert(old, &departed)
    #expect(failureMemory.latest === old && failureMemory.count == 3)
    failureMemory.removeAll(&departed)
    #expect(failureMemory.latest == nil && failureMemory.isEmpty)
  }

  @Test mutating func `mayHavePassed is false only while a permanent failure answers requests`() {
    failureMemory.insert(refusal(status: 503), &departed)
    #expect(failureMemory.mayHavePassed)
    let permanent = refusal(status: 404)
    failureMemory.insert(permanent, &departed)
    #expect(!failureMemory.mayHavePassed)
    failureMemory.end(permanent, &departed)
    #expect(failureMemory.mayHavePassed)
  }
}
