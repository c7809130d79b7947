import Foundation

/// The error of a wait that reached its ``WaitLimit``, or that cannot end: more requests are awaited than the loader has slots for.
///
///     FeedTests.swift:31: waited 60.0 seconds for 2 held requests. Held: 1 (https://example.com/a.jpg). Requests in all: 1. Canceled: 0.
public struct WaitTimedOut: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The line that waited, what it waited for, and the state when the limit passed.
  public let description: String

  public var errorDescription: String? { description }

  init(_ limit: WaitLimit, at place: CallSite, for what: String, insteadOf state: String) {
    description = "\(place): waited \(limit.duration) \(what). \(state)"
  }

  init(at place: CallSite, because obstacle: String) {
    description = "\(place): \(obstacle)"
  }
}
