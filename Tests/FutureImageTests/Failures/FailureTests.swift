import Testing

@testable import FutureImage

/// The values of failures.
@Suite(.timeLimit(.minutes(5))) struct FailureTests {
  typealias Failure = FutureImage.Failure

  @Test func `failures are equal if their reasons and their sources are`() {
    let failure = Failure(.status(503), key: "a")
    #expect(failure == Failure(.status(503), key: "a", retryAfter: .seconds(1)))
    #expect(failure != Failure(.status(503), key: "b"))
    #expect(failure != Failure(.status(502), key: "a"))
    #expect(failure.of("b") == failure && Failure(.status(503)).of("a") == failure)
  }

  static let reasons: [(Failure.Reason, Bool)] = [
    (.status(503), true), (.transport(.offline), true), (.cancelled, true), (.notCached, true), (.status(404), false),
    (.transport(.untrusted), false), (.undecodable(""), false)
  ]

  @Test(arguments: reasons) func `temporary failures, cancellations, and misses do not last`(reason: Failure.Reason, mayPass: Bool) {
    #expect(Failure(reason).mayPass == mayPass)
  }
}
