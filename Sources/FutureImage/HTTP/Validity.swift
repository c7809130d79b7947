/// The time for which a server vouches for a received body. Pure. Source of the terms: RFC 9111, section 4.
///
/// Received at 12:00 and fresh until 13:00:
///
/// | now | may be shown stale | must be revalidated |
/// | --- | --- | --- |
/// | 12:30 | fresh | fresh |
/// | 13:00 | stale | unconfirmed |
/// | 11:59, the clock was set back | stale | unconfirmed |
struct Validity: Hashable, Sendable {
  /// The time of receipt by this device's clock; nil if unknown.
  var receivedAt: Date?
  /// The end of freshness; nil if the server did not say.
  var freshUntil: Date?
  /// Whether a body that is no longer fresh must not be shown before it has been revalidated.
  var mustRevalidate = false
  /// Whether the last revalidation failed: the body is fresh only so that it is not revalidated again at once.
  var hasFailed = false
  /// The request fields that the body fits; nil if it fits any request.
  var secondaryKey: SecondaryKey?

  /// Whether the server stated anything about it.
  var isStated: Bool { freshUntil != nil || mustRevalidate || secondaryKey != nil }

  /// The standing for requests that the body fits.
  func standing(at now: Date) -> FutureImage.CacheEntry.Standing {
    guard freshUntil != nil || mustRevalidate else { return .fresh }
    // A body received in the future was received before the clock was set back; its age is unknown.
    let isOfPast = receivedAt.map { $0 <= now } ?? true
    if isOfPast, let freshUntil, now < freshUntil { return .fresh }
    return mustRevalidate ? .unconfirmed : .stale
  }
}
