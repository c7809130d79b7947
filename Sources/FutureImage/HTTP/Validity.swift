/// The server's statements about the time for which a received body is valid. A pure value. Source of the terms: RFC 9111, section 4.
///
/// Here, two bodies were received at 12:00, and are fresh until 13:00. The first may be shown when it is stale, and the second must be
/// revalidated before it is shown. These are their standings:
///
/// | now | may be shown stale | must be revalidated |
/// | --- | --- | --- |
/// | 12:30 | fresh | fresh |
/// | 13:00 | stale | unconfirmed |
/// | 11:59, the clock was set back | stale | unconfirmed |
struct Validity: Hashable, Sendable {
  /// The time of receipt by this device's clock; nil if unknown.
  var receivedAt: Date?
  /// The time until which the body is fresh; nil if the server stated no time.
  var freshUntil: Date?
  /// Whether a body that is no longer fresh must be revalidated before it is shown.
  var mustRevalidate = false
  /// Whether the last revalidation failed. The body is then fresh only so that it is not revalidated again immediately.
  var hasFailed = false
  /// The request fields that the body fits; nil if it fits any request.
  var secondaryKey: SecondaryKey?

  /// Whether the server stated anything about the body's validity.
  var isStated: Bool { freshUntil != nil || mustRevalidate || secondaryKey != nil }

  /// Returns the standing of the body for requests that it fits.
  func standing(at now: Date) -> FutureImage.CacheEntry.Standing {
    guard freshUntil != nil || mustRevalidate else { return .fresh }
    // If `receivedAt` is later than `now`, the clock has been set back since, and the age of the body is unknown.
    let isOfPast = receivedAt.map { $0 <= now } ?? true
    if isOfPast, let freshUntil, now < freshUntil { return .fresh }
    return mustRevalidate ? .unconfirmed : .stale
  }
}
