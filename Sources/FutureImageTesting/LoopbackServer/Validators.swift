import Foundation

extension LoopbackServer {
  /// What tells one version of a body from another, and the conditions that ask for it (RFC 9110, 13.1).
  struct Validators: Sendable {
    /// As sent, with its quotes.
    var eTag: String?
    /// As sent.
    private(set) var lastModified: String?

    mutating func setLastModified(_ date: Date) {
      // A fresh formatter each time: tests name a few dates, and a shared one would need a lock.
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      lastModified = formatter.string(from: date)
    }

    /// Whether the client holds this version. A date counts only where no tag was asked for.
    func isHeld(by headers: Headers) -> Bool {
      guard let tags = headers["If-None-Match"] else {
        return lastModified != nil && headers["If-Modified-Since"] == lastModified
      }
      guard let eTag else { return false }
      return tags.trimmingSpaces == "*" || tags.split(separator: ",").contains { Self.opaque($0.trimmingSpaces) == Self.opaque(eTag) }
    }

    /// Whether a part of this version continues what the client has. A weak tag never does.
    func allowRange(_ headers: Headers) -> Bool {
      guard let condition = headers["If-Range"] else { return true }
      if condition == lastModified { return true }
      return condition == eTag && !condition.hasPrefix("W/")
    }

    private static func opaque(_ tag: String) -> Substring {
      tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
  }
}
