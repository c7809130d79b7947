import Testing

@testable import FutureImage

@Suite("RetryPolicy", .timeLimit(.minutes(5))) struct RetryPolicyTests {
  typealias Failure = FutureImage.Failure
  typealias Policy = FutureImage.RetryPolicy

  private static let lost = Failure(.transport(.connectionLost))

  @Test("The bound doubles from attempt to attempt until it is given up", arguments: [(1, 200), (2, 400), (3, nil), (4, nil)])
  func defaults(attempt: Int, milliseconds: Int?) {
    #expect(Policy().delay(afterAttempt: attempt, Self.lost, chance: 1) == milliseconds.map { .milliseconds($0) })
  }

  @Test("The wait is the drawn part of the bound", arguments: [(0.0, 0), (0.25, 100), (0.5, 200), (1, 400)])
  func jitter(chance: Double, milliseconds: Int) {
    #expect(Policy().delay(afterAttempt: 2, Self.lost, chance: chance) == .milliseconds(milliseconds))
  }

  @Test("No bound grows beyond the longest delay", arguments: [(1, 1), (2, 2), (3, 4), (4, 5), (5, 5), (1_000_000, 5)])
  func cap(attempt: Int, seconds: Int) {
    let policy = Policy(attempts: .max, firstDelay: .seconds(1), maxDelay: .seconds(5))
    #expect(policy.delay(afterAttempt: attempt, Self.lost, chance: 1) == .seconds(seconds))
  }

  @Test("A first delay above the longest is cut to it")
  func firstDelayAboveCap() {
    let policy = Policy(firstDelay: .seconds(60), maxDelay: .seconds(1))
    #expect(policy.delay(afterAttempt: 1, Self.lost, chance: 1) == .seconds(1))
  }

  @Test("Without delays it tries again at once")
  func zeroDelay() {
    #expect(Policy(firstDelay: .zero).delay(afterAttempt: 2, Self.lost, chance: 1) == .zero)
  }

  @Test("The policy that never tries again gives up after the first attempt")
  func never() {
    #expect(Policy.never.delay(afterAttempt: 1, Self.lost, chance: 0) == nil)
  }

  @Test("What the server asks for is waited for, whatever was drawn", arguments: [0.0, 0.5, 1])
  func retryAfter(chance: Double) {
    let failure = Failure(.status(503), retryAfter: .seconds(7))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: chance) == .seconds(7))
  }

  @Test("A server that asks for less than the policy waits is not asked sooner", arguments: [(0, 0.0, 0), (0, 0.5, 100), (0, 1, 200)])
  func retryAfterTooShort(asked: Int, chance: Double, waited: Int) {
    let failure = Failure(.status(503), retryAfter: .milliseconds(asked))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: chance) == .milliseconds(waited))
  }

  @Test("A server that asks for too long a wait is not asked again", arguments: [(30, 30), (31, nil)])
  func retryAfterTooLong(asked: Int, waited: Int?) {
    let failure = Failure(.status(429), retryAfter: .seconds(asked))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: 0) == waited.map { .seconds($0) })
  }

  @Test("A server that asks for a wait gets no more attempts than others")
  func retryAfterCounts() {
    let failure = Failure(.status(503), retryAfter: .seconds(1))
    #expect(Policy().delay(afterAttempt: 3, failure, chance: 0) == nil)
  }

  @Test(
    "Transient faults are tried again",
    arguments: [
      Failure.Reason.status(408), .status(429), .status(500), .status(503), .status(599), .transport(.connectionLost),
      .transport(.timedOut), .transport(.stalled), .transport(.truncated), .transport(.hostNotFound), .transport(.offline)
    ])
  func transient(reason: Failure.Reason) {
    #expect(Policy().delay(afterAttempt: 1, Failure(reason), chance: 1) == .milliseconds(200))
  }

  @Test(
    "Faults that last are not tried again, even if the server says when",
    arguments: [
      Failure.Reason.cancelled, .refused("no"), .status(301), .status(400), .status(401), .status(404), .status(410), .status(600),
      .transport(.untrusted), .malformed("it"), .empty, .tooLarge(limit: 1), .unreadable("it"), .undecodable("it"), .unsupported("it"),
      .tooManyPixels("it"), .headersTooLarge(limit: 1), .outOfMemory, .notCached
    ])
  func permanent(reason: Failure.Reason) {
    #expect(Policy().delay(afterAttempt: 1, Failure(reason), chance: 0) == nil)
    #expect(Policy().delay(afterAttempt: 1, Failure(reason, retryAfter: .zero), chance: 0) == nil)
  }
}
