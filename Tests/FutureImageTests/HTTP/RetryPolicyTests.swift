import Testing

@testable import FutureImage

@Suite("RetryPolicy", .timeLimit(.minutes(5))) struct RetryPolicyTests {
  typealias Failure = FutureImage.Failure
  typealias Policy = FutureImage.RetryPolicy

  private static let lost = Failure(.transport(.connectionLost))

  @Test("The upper bound doubles with each attempt until the policy gives up", arguments: [(1, 200), (2, 400), (3, nil), (4, nil)])
  func defaults(attempt: Int, milliseconds: Int?) {
    #expect(Policy().delay(afterAttempt: attempt, Self.lost, chance: 1) == milliseconds.map { .milliseconds($0) })
  }

  @Test("The wait is a random part of its upper bound", arguments: [(0.0, 0), (0.25, 100), (0.5, 200), (1, 400)])
  func jitter(chance: Double, milliseconds: Int) {
    #expect(Policy().delay(afterAttempt: 2, Self.lost, chance: chance) == .milliseconds(milliseconds))
  }

  @Test("The upper bound does not exceed the maximum delay", arguments: [(1, 1), (2, 2), (3, 4), (4, 5), (5, 5), (1_000_000, 5)])
  func cap(attempt: Int, seconds: Int) {
    let policy = Policy(attempts: .max, firstDelay: .seconds(1), maxDelay: .seconds(5))
    #expect(policy.delay(afterAttempt: attempt, Self.lost, chance: 1) == .seconds(seconds))
  }

  @Test("A first delay above the maximum delay is reduced to it")
  func firstDelayAboveCap() {
    let policy = Policy(firstDelay: .seconds(60), maxDelay: .seconds(1))
    #expect(policy.delay(afterAttempt: 1, Self.lost, chance: 1) == .seconds(1))
  }

  @Test("A policy with a first delay of zero retries at once")
  func zeroDelay() {
    #expect(Policy(firstDelay: .zero).delay(afterAttempt: 2, Self.lost, chance: 1) == .zero)
  }

  @Test("The policy without retries gives up after the first attempt")
  func never() {
    #expect(Policy.never.delay(afterAttempt: 1, Self.lost, chance: 0) == nil)
  }

  @Test("A Retry-After is waited for, whatever the random number", arguments: [0.0, 0.5, 1])
  func retryAfter(chance: Double) {
    let failure = Failure(.status(503), retryAfter: .seconds(7))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: chance) == .seconds(7))
  }

  @Test("A Retry-After shorter than the random wait does not shorten it", arguments: [(0, 0.0, 0), (0, 0.5, 100), (0, 1, 200)])
  func retryAfterTooShort(asked: Int, chance: Double, waited: Int) {
    let failure = Failure(.status(503), retryAfter: .milliseconds(asked))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: chance) == .milliseconds(waited))
  }

  @Test("A Retry-After above the limit ends the retries", arguments: [(30, 30), (31, nil)])
  func retryAfterTooLong(asked: Int, waited: Int?) {
    let failure = Failure(.status(429), retryAfter: .seconds(asked))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: 0) == waited.map { .seconds($0) })
  }

  @Test("A Retry-After does not add attempts")
  func retryAfterCounts() {
    let failure = Failure(.status(503), retryAfter: .seconds(1))
    #expect(Policy().delay(afterAttempt: 3, failure, chance: 0) == nil)
  }

  @Test(
    "Transient failures are retried",
    arguments: [
      Failure.Reason.status(408), .status(429), .status(500), .status(503), .status(599), .transport(.connectionLost),
      .transport(.timedOut), .transport(.stalled), .transport(.truncated), .transport(.hostNotFound), .transport(.offline)
    ])
  func transient(reason: Failure.Reason) {
    #expect(Policy().delay(afterAttempt: 1, Failure(reason), chance: 1) == .milliseconds(200))
  }

  @Test(
    "Permanent failures are not retried, even with a Retry-After",
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
