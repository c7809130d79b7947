import Foundation

extension LoopbackServer {
  /// The validators that distinguish versions of a body, and the conditions that use them (RFC 9110, 13.1).
  struct Validators: Sendable {
    /// The tag as sent, with its quotes.
    var eTag: String?
    /// The date as sent.
    private(set) var lastModified: String?

    mutating func setLastModified(_ date: Date) {
      // Create a new formatter each time, because tests use few dates, and a shared formatter would need a lock.
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      lastModified = formatter.string(from: date)
    }

    /// Whether the client has this version. A date counts only if the request sends no tag.
    func isHeld(by headers: Headers) -> Bool {
      guard let tags = headers["If-None-Match"] else {
        return lastModified != nil && headers["If-Modified-Since"] == lastModified
      }
      guard let eTag else { return false }
      return tags.trimmingSpaces == "*" || tags.split(separator: ",").contains { Self.opaque($0.trimmingSpaces) == Self.opaque(eTag) }
    }

    /// Whether a part of this version may continue the bytes that the client has. With a weak tag in `If-Range`, it may not.
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
