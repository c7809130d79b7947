import Foundation
import FutureImage

/// The maximum duration of one wait in a test.
///
///     try await fetcher.waitForRequests(2)
///     try await fetcher.waitForRequests(2, within: .seconds(5))
///
/// A wait that reaches its limit throws ``WaitTimedOut``, whose description states what was awaited and the state at that time.
public struct WaitLimit: Sendable {
  /// 60 seconds of real time, the default limit of a wait.
  public static let standard = WaitLimit(.seconds(60))

  let duration: Duration
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - duration: the maximum duration.
  ///   - clock: the clock that measures the duration. A test that checks a timeout can pass a ``ManualClock``, and advance it to the limit
  ///     without waiting.
  public init(_ duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
    self.duration = duration
    self.clock = clock
  }

  /// A limit in seconds of real time.
  public static func seconds(_ seconds: Double) -> WaitLimit { WaitLimit(.seconds(seconds)) }

  /// Calls `action` when `obstacle` returns the same text twice in a row, half a second apart. The caller can cancel the returned task to
  /// prevent this. The delay gives a test time to answer requests or create futures in another task.
  func watch(for obstacle: @escaping @Sendable () -> String?, _ action: @escaping @Sendable (String) -> Void) -> Task<Void, Never> {
    Scheduling.task("a check for an obstacle") {
      let shortest = Duration.milliseconds(500)
      var (last, pause): (String?, Duration) = (nil, shortest)
      while true {
        do { try await clock.sleep(for: pause) } catch { return }
        let found = obstacle()
        if let found, found == last { return action(found) }
        // An obstacle usually appears early or never. So each check that finds none doubles the pause, and a long wait needs few checks.
        pause = found == nil ? pause * 2 : shortest
        last = found
      }
    }
  }

  /// Calls the closure when the limit has passed, unless the returned task is canceled first.
  func timeout(_ action: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Scheduling.task("a wait for the limit") {
      do { try await clock.sleep(for: duration) } catch { return }
      action()
    }
  }
}

/// The error of a wait that reached its ``WaitLimit``, or that cannot end because it awaits more requests than the loader has slots for.
///
///     FeedTests.swift:31: waited 60.0 seconds for 2 held requests. Held: 1 (https://example.com/a.jpg). Requests in all: 1. Canceled: 0.
public struct WaitTimedOut: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The source line of the wait. After it, either what was awaited and the state at the limit, or the obstacle that prevents the wait from
  /// ending.
  public let description: String

  public var errorDescription: String? { description }

  init(_ limit: WaitLimit, at place: CallSite, for what: String, insteadOf state: String) {
    description = "\(place): waited \(limit.duration) \(what). \(state)"
  }

  init(at place: CallSite, because obstacle: String) {
    description = "\(place): \(obstacle)"
  }
}
