import FutureImage

/// The longest time that one wait of a test may take.
///
///     try await fetcher.waitForRequests(2)
///     try await fetcher.waitForRequests(2, within: .seconds(5))
///
/// A wait that reaches its limit throws ``WaitTimedOut``, whose description says what was awaited and what there was instead.
public struct WaitLimit: Sendable {
  /// 60 seconds of real time: the limit of a wait that is given no other.
  public static let standard = WaitLimit(.seconds(60))

  let duration: Duration
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - duration: how long the wait may take.
  ///   - clock: measures it. A ``ManualClock`` lets a test of a test reach the limit at once.
  public init(_ duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
    self.duration = duration
    self.clock = clock
  }

  /// A limit in seconds of real time.
  public static func seconds(_ seconds: Double) -> WaitLimit { WaitLimit(.seconds(seconds)) }

  /// Calls back when the limit has passed, unless the task that this returns is canceled before.
  func alarm(_ ring: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Scheduling.task("an alarm") {
      do { try await clock.sleep(for: duration) } catch { return }
      ring()
    }
  }
}
