extension FutureImage {
  /// When a transfer that failed is tried again: only after transient faults, a bounded number of times, after a random wait.
  ///
  /// The wait is "full jitter": any time between nothing and an upper bound that doubles with each attempt. It spreads the clients of a
  /// server that came back better than fixed waits do. Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
  ///
  /// | attempt failed | bound with the defaults |
  /// | --- | --- |
  /// | 1 | 0.2 s |
  /// | 2 | 0.4 s |
  /// | 3 | none: given up |
  ///
  /// A transfer that lost its connection while the process was suspended begins anew at once, once for each suspension. That is no attempt
  /// of this policy.
  public struct RetryPolicy: Sendable, Hashable {
    /// How often a transfer is tried in all. An attempt that brings 32 KiB or an eighth of a body that can be resumed begins the count anew.
    public var attempts: Int
    /// The bound of the first wait.
    public var firstDelay: Duration
    /// No bound grows beyond this.
    public var maxDelay: Duration
    /// The longest `Retry-After` that is waited for; a server that asks for more is not asked again by itself. One that asks for less than
    /// the wait that was drawn does not shorten it.
    public var maxRetryAfter: Duration
    /// How long a permanent failure answers for its source without asking the server again: whoever binds or asks for its future, and new
    /// futures of the source.
    public var failureMemory: Duration

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

    /// Every failure is final.
    public static let never = RetryPolicy(attempts: 1)

    /// How long to wait before the next attempt; nil to give up.
    /// - Parameters:
    ///   - attempt: how many attempts have failed, 1 for the first.
    ///   - chance: from 0 to 1, drawn evenly.
    func delay(afterAttempt attempt: Int, _ failure: Failure, chance: Double) -> Duration? {
      // The network will not be another one in a moment.
      guard failure.isTransient, failure.reason != .transport(.avoidedNetwork), attempt < attempts else { return nil }
      let asked = failure.retryAfter ?? .zero
      guard asked <= maxRetryAfter else { return nil }
      var bound = firstDelay
      for _ in 1..<max(attempt, 1) where bound < maxDelay { bound = bound * 2 }
      // Zero, or a date in the past, would make an endless row of requests out of a busy server.
      return max(asked, min(bound, maxDelay) * chance)
    }
  }
}
