extension FutureImage {
  /// The conditions for retrying a failed transfer: after transient failures only, a bounded number of times, after a random wait.
  ///
  /// The wait is "full jitter": a random time between zero and an upper bound that doubles with each attempt. When a server recovers, this
  /// spreads its clients better than fixed waits do. Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
  ///
  /// | attempt failed | bound with the defaults |
  /// | --- | --- |
  /// | 1 | 0.2 s |
  /// | 2 | 0.4 s |
  /// | 3 | none: given up |
  ///
  /// A transfer that lost its connection while the process was suspended restarts at once, once for each suspension. That does not count as
  /// an attempt of this policy.
  ///
  /// After a status of 429 or 503 with a `Retry-After` of at most ``maxRetryAfter``, no image of the host is requested until then, and one
  /// at a time after that. Nor do such waits count as attempts, up to ``maxRetryAfter`` in all for each image.
  public struct RetryPolicy: Sendable, Hashable {
    /// The number of attempts in all. An attempt that brings 32 KiB or an eighth of a body that can be resumed restarts the count.
    public var attempts: Int
    /// The upper bound of the first wait.
    public var firstDelay: Duration
    /// The largest upper bound of a wait.
    public var maxDelay: Duration
    /// The longest `Retry-After` that is honored. If a server asks for more, the transfer is not retried automatically. A `Retry-After`
    /// shorter than the random wait does not shorten it.
    public var maxRetryAfter: Duration
    /// How long a permanent failure answers for its source without another request to the server, when a future of the source is bound,
    /// asked for its image, or newly created.
    public var failureMemory: Duration
    /// The same for a transient failure, after its attempts. It doubles with each further failure of the source, up to ``failureMemory``: a
    /// view that is bound again and again does not request the image each time. A tap, ``FutureImage/FutureImage/reload()``, and the return
    /// of a network end it.
    public var transientFailureMemory: Duration

    public init(
      attempts: Int = 3, firstDelay: Duration = .milliseconds(200), maxDelay: Duration = .seconds(10),
      maxRetryAfter: Duration = .seconds(30), failureMemory: Duration = .seconds(30), transientFailureMemory: Duration = .seconds(1)
    ) {
      self.attempts = attempts
      self.firstDelay = firstDelay
      self.maxDelay = maxDelay
      self.maxRetryAfter = maxRetryAfter
      self.failureMemory = failureMemory
      self.transientFailureMemory = transientFailureMemory
    }

    /// No retries: every failure is final.
    public static let never = RetryPolicy(attempts: 1)

    /// Returns the time for which the server wants no requests; nil if it did not say so, or wants more time than this policy grants.
    func hold(after failure: Failure) -> Duration? {
      guard failure.reason == .status(429) || failure.reason == .status(503), attempts > 1 else { return nil }
      return failure.retryAfter.flatMap { $0 > .zero && $0 <= maxRetryAfter ? $0 : nil }
    }

    /// Returns how long a failure answers for its source.
    /// - Parameter count: the number of failures of the source since it had its image, with this one.
    func memory(of failure: Failure, after count: Int) -> Duration {
      // These have cost no request.
      if failure.isCancelled || failure.reason == .notCached || failure.reason == .transport(.avoidedNetwork) { return .zero }
      guard failure.isTransient else { return failureMemory }
      var memory = transientFailureMemory
      for _ in 1..<max(count, 1) where memory < failureMemory { memory = memory * 2 }
      return min(memory, failureMemory)
    }

    /// The wait before the next attempt, or nil to give up.
    /// - Parameters:
    ///   - attempt: the number of attempts that have failed, 1 for the first.
    ///   - chance: a random number from 0 to 1, uniformly distributed.
    func delay(afterAttempt attempt: Int, _ failure: Failure, chance: Double) -> Duration? {
      // Retrying cannot help: the network type will not change within the delay.
      guard failure.isTransient, failure.reason != .transport(.avoidedNetwork), attempt < attempts else { return nil }
      let asked = failure.retryAfter ?? .zero
      guard asked <= maxRetryAfter else { return nil }
      var bound = firstDelay
      for _ in 1..<max(attempt, 1) where bound < maxDelay { bound = bound * 2 }
      // A `Retry-After` of zero, or with a date in the past, would turn a busy server into an endless series of requests.
      return max(asked, min(bound, maxDelay) * chance)
    }
  }
}
