import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct FailureMemoryEntryTests {
  private let clock = ManualClock()
  private var failureMemory = FailureMemory()
  private var departed = Departed()

  private func entry(status: Int) -> FailureMemory.Entry {
    FailureMemory.Entry(FutureImage.Failure(.status(status)), memory: .seconds(10), clock: clock)
  }

  @Test func `a failure answers requests until its time in memory is over, unless this time is zero or the failure is worth a retry`() {
    for status in [404, 503] {
      let entry = entry(status: status)
      #expect(entry.answers && entry.holds)
    }
    let forgotten = FailureMemory.Entry(FutureImage.Failure(.status(404)), memory: .zero, clock: clock)
    #expect(!forgotten.answers && !forgotten.holds)
    #expect(!FailureMemory.Entry(passing: FutureImage.Failure(.status(503))).holds)
    let (permanent, transient) = (entry(status: 404), entry(status: 503))
    clock.advance(by: .seconds(10))
    #expect(!permanent.holds && !transient.holds)
  }

  @Test mutating func `ending an older failure does not end the newer failure, and ended failures are still counted`() {
    let (old, new) = (entry(status: 404), entry(status: 410))
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
    failureMemory.insert(entry(status: 503), &departed)
    #expect(failureMemory.mayHavePassed)
    let permanent = entry(status: 404)
    failureMemory.insert(permanent, &departed)
    #expect(!failureMemory.mayHavePassed)
    failureMemory.end(permanent, &departed)
    #expect(failureMemory.mayHavePassed)
  }
}
