extension FutureImage {
  /// The conditions for retrying a failed transfer. Only transient failures are retried, a bounded number of times, each after a random
  /// wait.
  ///
  /// The wait is "full jitter": a random time between zero and an upper bound that doubles with each attempt. When a server recovers, this
  /// spreads its clients better than fixed waits do. Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
  ///
  /// | failed attempts | upper bound with the defaults |
  /// | --- | --- |
  /// | 1 | 0.2 s |
  /// | 2 | 0.4 s |
  /// | 3 | none, because there is no further attempt |
  ///
  /// A transfer that lost its connection while the process was suspended restarts immediately, once for each suspension. Such a restart
  /// does not count as an attempt of this policy.
  ///
  /// After a status of 429 or 503 with a `Retry-After` of at most ``maxRetryAfter``, the loader requests no image of the host until the
  /// requested delay has passed. It then requests one image of the host at a time, and raises this number step by step. These waits do
  /// not count as attempts either, up to a total of ``maxRetryAfter`` for each image.
  public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, including the first. The count restarts after an attempt that receives enough bytes of a body that
    /// can be resumed: 32 KiB, or an eighth of the body, whichever is less.
    public var attempts: Int
    /// The upper bound of the first wait.
    public var firstDelay: Duration
    /// The largest upper bound of a wait.
    public var maxDelay: Duration
    /// The longest `Retry-After` that is honored. If a server requests a longer delay, the transfer is not retried automatically. A
    /// `Retry-After` shorter than the random wait does not shorten that wait.
    public var maxRetryAfter: Duration
    /// The time for which a permanent failure of a source is remembered. During this time, a future of the source fails without another
    /// request to the server when the future is created, when it is bound, or when its image is requested.
    public var failureMemory: Duration
    /// The time for which a transient failure of a source is remembered after the last attempt. The time doubles with each further failure
    /// of the source, up to ``failureMemory``, so that a view that is bound again and again does not request the image each time. A tap,
    /// ``FutureImage/FutureImage/reload()``, and the return of a network end this time early.
    package var transientFailureMemory = Duration.seconds(1)

    public init(
      attempts: Int = 3, firstDelay: Duration = .milliseconds(200), maxDelay: Duration = .seconds(10),
      maxRetryAfter: Duration = .seconds(30), failureMemory: Duration = .seconds(30)
    ) {
      self.attempts = attempts
      self.firstDelay = firstDelay
      self.maxDelay = maxDelay
      self.maxRetryAfter = maxRetryAfter
      self.failureMemory = failureMemory
    }

    /// A policy without retries, under which every failure is final.
    public static let never = RetryPolicy(attempts: 1)

    /// Returns the time during which the server wants no requests; nil if the server stated no such time, or a time that this policy does
    /// not grant.
    func hold(after failure: Failure) -> Duration? {
      guard failure.reason == .status(429) || failure.reason == .status(503), attempts > 1 else { return nil }
      return failure.retryAfter.flatMap { $0 > .zero && $0 <= maxRetryAfter ? $0 : nil }
    }

    /// Returns how long a failure of a source is remembered.
    /// - Parameter count: the number of failures of the source since it last delivered its image, including this failure.
    func memory(of failure: Failure, after count: Int) -> Duration {
      // These failures do not show that the source has failed.
      if failure.isCancelled || failure.reason == .notCached || failure.reason == .transport(.avoidedNetwork) { return .zero }
      guard failure.isTransient else { return failureMemory }
      var memory = transientFailureMemory
      for _ in 1..<max(count, 1) where memory < failureMemory { memory = memory * 2 }
      return min(memory, failureMemory)
    }

    /// Returns the wait before the next attempt; nil if there must be no further attempt.
    /// - Parameters:
    ///   - attempt: the number of failed attempts, at least 1.
    ///   - chance: a random number from 0 to 1, uniformly distributed.
    func delay(afterAttempt attempt: Int, _ failure: Failure, chance: Double) -> Duration? {
      // A retry on an avoided network cannot help, because the type of the network will not change within the delay.
      guard failure.isTransient, failure.reason != .transport(.avoidedNetwork), attempt < attempts else { return nil }
      let requested = failure.retryAfter ?? .zero
      guard requested <= maxRetryAfter else { return nil }
      var bound = firstDelay
      for _ in 1..<max(attempt, 1) where bound < maxDelay { bound = bound * 2 }
      // The random wait is the minimum, because a `Retry-After` of zero or of a past date would cause an endless series of requests to a
      // busy server.
      return max(requested, min(bound, maxDelay) * chance)
    }
  }
}
