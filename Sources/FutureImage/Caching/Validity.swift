/// How long a server vouches for a body that was received. Pure. Source of the terms: RFC 9111, section 4.
///
/// Received at 12:00 and fresh until 13:00:
///
/// | now | may be shown stale | must be revalidated |
/// | --- | --- | --- |
/// | 12:30 | fresh | fresh |
/// | 13:00 | stale | unconfirmed |
/// | 11:59, the clock was set back | stale | unconfirmed |
struct Validity: Hashable, Sendable {
  /// By this device's clock; nil if unknown.
  var receivedAt: Date?
  /// Nil if the server did not say.
  var freshUntil: Date?
  /// Whether the body may not be shown, once it is not fresh, before the server was asked.
  var mustRevalidate = false

  /// Whether the server said anything of it.
  var isStated: Bool { freshUntil != nil || mustRevalidate }

  func standing(at now: Date) -> FutureImage.CacheEntry.Standing {
    guard isStated else { return .fresh }
    // What came in the future came before the clock was set back, nobody knows how long ago.
    let isOfPast = receivedAt.map { $0 <= now } ?? true
    if isOfPast, let freshUntil, now < freshUntil { return .fresh }
    return mustRevalidate ? .unconfirmed : .stale
  }
}
