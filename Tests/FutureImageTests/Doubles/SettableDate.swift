import Foundation

@testable import FutureImage

/// A date that changes only when a test advances it.
final class SettableDate: Sendable {
  private let date: Lock<Date>

  init(_ date: Date = Date()) { self.date = Lock(date) }

  var now: Date { date.withLock { $0 } }

  func advance(hours: Double) { advance(seconds: hours * 3600) }
  func advance(seconds: Double) { date.withLock { $0 += seconds } }
}
