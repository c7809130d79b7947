import Testing

@testable import FutureImage

@Suite("RetryPolicy", .timeLimit(.minutes(5))) struct RetryPolicyTests {
  typealias Failure = FutureImage.Failure
  typealias Policy = FutureImage.RetryPolicy

  private static let lost = Failure(.transport(.connectionLost))

  @Test(arguments: [(1, 200), (2, 400), (3, nil), (4, nil)])
  func `the upper bound of the wait doubles with each attempt until the policy permits no retry`(attempt: Int, milliseconds: Int?) {
    #expect(Policy().delay(afterAttempt: attempt, Self.lost, chance: 1) == milliseconds.map { .milliseconds($0) })
  }

  @Test(arguments: [(0.0, 0), (0.25, 100), (0.5, 200), (1, 400)])
  func `the wait is a random part of its upper bound`(chance: Double, milliseconds: Int) {
    #expect(Policy().delay(afterAttempt: 2, Self.lost, chance: chance) == .milliseconds(milliseconds))
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 5), (5, 5), (1_000_000, 5)])
  func `the upper bound of the wait does not exceed the maximum delay`(attempt: Int, seconds: Int) {
    let policy = Policy(attempts: .max, firstDelay: .seconds(1), maxDelay: .seconds(5))
    #expect(policy.delay(afterAttempt: attempt, Self.lost, chance: 1) == .seconds(seconds))
  }

  @Test func `a first delay above the maximum delay is reduced to the maximum`() {
    let policy = Policy(firstDelay: .seconds(60), maxDelay: .seconds(1))
    #expect(policy.delay(afterAttempt: 1, Self.lost, chance: 1) == .seconds(1))
  }

  @Test func `a policy with a first delay of zero retries at once`() {
    #expect(Policy(firstDelay: .zero).delay(afterAttempt: 2, Self.lost, chance: 1) == .zero)
  }

  @Test func `the policy without retries permits no retry after the first attempt`() {
    #expect(Policy.never.delay(afterAttempt: 1, Self.lost, chance: 0) == nil)
  }

  @Test(arguments: [0.0, 0.5, 1])
  func `a Retry-After that is longer than the random wait determines the wait`(chance: Double) {
    let failure = Failure(.status(503), retryAfter: .seconds(7))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: chance) == .seconds(7))
  }

  @Test(arguments: [(0, 0.0, 0), (0, 0.5, 100), (0, 1, 200)])
  func `a Retry-After that is shorter than the random wait does not shorten the wait`(demanded: Int, chance: Double, waited: Int) {
    let failure = Failure(.status(503), retryAfter: .milliseconds(demanded))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: chance) == .milliseconds(waited))
  }

  @Test(arguments: [(30, 30), (31, nil)])
  func `a Retry-After above the limit ends the retries`(demanded: Int, waited: Int?) {
    let failure = Failure(.status(429), retryAfter: .seconds(demanded))
    #expect(Policy().delay(afterAttempt: 1, failure, chance: 0) == waited.map { .seconds($0) })
  }

  @Test func `a Retry-After does not permit more attempts than the policy`() {
    let failure = Failure(.status(503), retryAfter: .seconds(1))
    #expect(Policy().delay(afterAttempt: 3, failure, chance: 0) == nil)
  }

  @Test(
    arguments: [
      Failure.Reason.status(408), .status(429), .status(500), .status(503), .status(599), .transport(.connectionLost),
      .transport(.timedOut), .transport(.stalled), .transport(.truncated), .transport(.hostNotFound), .transport(.offline)
    ])
  func `transient failures are retried`(reason: Failure.Reason) {
    #expect(Policy().delay(afterAttempt: 1, Failure(reason), chance: 1) == .milliseconds(200))
  }

  @Test(
    arguments: [
      Failure.Reason.cancelled, .refused("no"), .status(301), .status(400), .status(401), .status(404), .status(410), .status(600),
      .transport(.untrusted), .malformed("it"), .empty, .tooLarge(limit: 1), .unreadable("it"), .undecodable("it"), .unsupported("it"),
      .tooManyPixels("it"), .outOfMemory, .notCached
    ])
  func `permanent failures are not retried, even with a Retry-After`(reason: Failure.Reason) {
    #expect(Policy().delay(afterAttempt: 1, Failure(reason), chance: 0) == nil)
    #expect(Policy().delay(afterAttempt: 1, Failure(reason, retryAfter: .zero), chance: 0) == nil)
  }
}
