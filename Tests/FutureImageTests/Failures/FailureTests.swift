import Testing

@testable import FutureImage

/// The equality of failures, and the failures that are worth a retry.
@Suite(.timeLimit(.minutes(5))) struct FailureTests {
  typealias Failure = FutureImage.Failure

  @Test func `failures with the same reason and the same source are equal`() {
    let failure = Failure(.status(503), key: "a")
    #expect(failure == Failure(.status(503), key: "a", retryAfter: .seconds(1)))
    #expect(failure != Failure(.status(503), key: "b"))
    #expect(failure != Failure(.status(502), key: "a"))
    // `of(_:)` sets the key only if the failure has no key.
    #expect(failure.of("b") == failure && Failure(.status(503)).of("a") == failure)
  }

  static let reasons: [(Failure.Reason, Bool)] = [
    (.status(503), true), (.transport(.offline), true), (.cancelled, true), (.notCached, true), (.status(404), false),
    (.transport(.untrusted), false), (.undecodable(""), false)
  ]

  @Test(arguments: reasons)
  func `only temporary failures, cancellations, and cache misses are worth a retry`(reason: Failure.Reason, mayPass: Bool) {
    #expect(Failure(reason).mayPass == mayPass)
  }
}
