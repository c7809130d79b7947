/// The statements of a response's header fields about caching its body, for a cache that serves one user. A pure value. Source: RFC 9111.
///
/// These examples have status 200 and are received at 12:00:00. Their `Date` is the same time, unless the row states another:
///
/// | header fields | fresh until | stored | stale is shown |
/// | --- | --- | --- | --- |
/// | none of these | unknown | yes | yes |
/// | `Cache-Control: max-age=60` | 12:01:00 | yes | yes |
/// | `Cache-Control: max-age=60`, `Age: 20` | 12:00:40 | yes | yes |
/// | `Cache-Control: max-age=60`, `Date:` 11:59:30 | 12:00:30 | yes | yes |
/// | `Cache-Control: max-age=60, s-maxage=900` | 12:01:00 | yes | yes |
/// | `Cache-Control: max-age=60, must-revalidate` | 12:01:00 | yes | no |
/// | `Cache-Control: no-cache, max-age=60` | 12:00:00 | yes | no |
/// | `Cache-Control: no-store` | unknown | no | yes |
/// | `Cache-Control: max-age=x` | 12:00:00 | yes | yes |
/// | `Cache-Control: max-age=60`, `Expires:` 13:00:00 | 12:01:00 | yes | yes |
/// | `Expires:` 13:00:00 | 13:00:00 | yes | yes |
/// | `Expires: 0` | 12:00:00 | yes | yes |
/// | `Last-Modified:` ten hours ago | 13:00:00 | yes | yes |
/// | `Last-Modified:` a year ago | in seven days | yes | yes |
/// | `Vary: *`, `Cache-Control: max-age=60` | 12:00:00 | yes | no |
///
/// The header fields of a redirect mean the same for the image at its target, with these differences:
///
/// | status and header fields | fresh until | stored | stale is shown |
/// | --- | --- | --- | --- |
/// | 301 or 308, none of these | unknown | yes | yes |
/// | 302, 303, or 307, none of these | 12:00:00 | yes | yes |
/// | any of them, `Cache-Control: max-age=60` | 12:01:00 | yes | yes |
///
/// The directives `private`, `public`, `proxy-revalidate`, and `s-maxage` concern only shared caches. `immutable` changes nothing, because
/// a fresh body is never revalidated, except by a `reload()`, which the user wants. `stale-while-revalidate` changes nothing, because a
/// stale body is shown during revalidation in any case. Section 4.2.4 permits this, and a stale image that is replaced a moment later is
/// better than none. The time that the directive states does not limit this use.
struct Freshness: Hashable, Sendable {
  /// The time until which the body may be shown without revalidation; nil if the response determines no such time.
  let freshUntil: Date?
  /// Whether a tier (a cache in memory or on disk) may store the body, which then outlives the futures that show it.
  let mayStore: Bool
  /// Whether a stale body may be shown before it has been revalidated.
  let mayShowStale: Bool
  /// Whether a field states the body's lifetime, or the status is that of a temporary redirect. If not, a response that renews an entry
  /// does not change the entry's lifetime.
  let isExplicit: Bool
  /// Whether the lifetime depends on `Cache-Control`, which takes precedence over `Expires`, or on `Vary: *`, which always requires
  /// revalidation.
  let isBoundByCacheControl: Bool

  /// The longest lifetime that is guessed. If only `Last-Modified` is known, the guess is a tenth of the image's age, as section 4.2.2
  /// suggests, but at most this value.
  static let longestGuess: TimeInterval = 7 * 86_400

  /// - Parameters:
  ///   - headers: the header fields by lower-case name.
  ///   - requestedAt: the time when the request was sent, because the time in transit counts as age.
  init(status: Int, headers: [String: String], requestedAt: Date, receivedAt: Date) {
    let control = CacheControl(headers["cache-control"])
    let age = Age(headers, requestedAt: requestedAt, receivedAt: receivedAt)
    let isRedirect = Redirect.statuses.contains(status)
    // A temporary redirect may change its target at any time, unless the server states a lifetime (RFC 9110, section 15.4).
    let implied: TimeInterval? = [302, 303, 307].contains(status) ? 0 : nil
    let lifetime = Self.statedLifetime(by: control, headers: headers, at: age.date) ?? implied
    let mustAlwaysRevalidate = control.has("no-cache") || headers["vary"].map(Self.variesByAll) ?? false
    isExplicit = mustAlwaysRevalidate || lifetime != nil
    isBoundByCacheControl = mustAlwaysRevalidate || control.has("max-age")
    mayShowStale = !mustAlwaysRevalidate && !control.has("must-revalidate")
    // Without a stated lifetime, only responses with certain statuses may be stored (section 3). Partial responses are never stored.
    let isUsual = status == 200 || status == 203 || isRedirect || (lifetime != nil && [201, 202, 226].contains(status))
    mayStore = isUsual && (!control.has("no-store") || control.has("must-understand"))
    if mustAlwaysRevalidate {
      freshUntil = receivedAt
    } else {
      let lifetime = lifetime ?? Self.guessedLifetime(headers, age.date)
      freshUntil = lifetime.map { receivedAt + max(0, $0 - age.seconds) }
    }
  }

  private init(freshUntil: Date?, mayStore: Bool, mayShowStale: Bool, isExplicit: Bool, isBoundByCacheControl: Bool) {
    self.freshUntil = freshUntil
    self.mayStore = mayStore
    self.mayShowStale = mayShowStale
    self.isExplicit = isExplicit
    self.isBoundByCacheControl = isBoundByCacheControl
  }

  /// Returns the statements about an image that was found behind a redirect, and that is stored under the URL of the redirect. They permit
  /// only what both responses permit.
  func behind(_ redirect: Freshness) -> Freshness {
    let endsEarlier = redirect.isExplicit && (freshUntil.map { until in redirect.freshUntil.map { $0 < until } ?? false } ?? true)
    return Freshness(
      freshUntil: endsEarlier ? redirect.freshUntil : freshUntil, mayStore: mayStore && redirect.mayStore,
      mayShowStale: mayShowStale && redirect.mayShowStale, isExplicit: isExplicit || redirect.isExplicit,
      isBoundByCacheControl: isBoundByCacheControl || redirect.isBoundByCacheControl)
  }

  /// Returns the lifetime that the fields state, by section 4.2.1.
  private static func statedLifetime(by control: CacheControl, headers: [String: String], at date: Date) -> TimeInterval? {
    if let seconds = control.seconds("max-age") { return seconds }
    guard let expires = headers["expires"] else { return nil }
    // Text that is not a date, usually "0", means a time in the past (section 5.3).
    return max(0, HTTPDate.date(expires, now: date)?.timeIntervalSince(date) ?? 0)
  }

  private static func guessedLifetime(_ headers: [String: String], _ date: Date) -> TimeInterval? {
    guard let modified = headers["last-modified"].flatMap({ HTTPDate.date($0, now: date) }) else { return nil }
    return min(max(0, date.timeIntervalSince(modified)) / 10, longestGuess)
  }

  /// Whether the response fits no other request (section 4.1).
  private static func variesByAll(_ vary: String) -> Bool {
    vary.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == "*" }
  }

  /// The age of the response when it arrived, by section 4.2.3.
  private struct Age {
    /// The time of the response by the server's clock, or by this device's clock if the server states no time.
    let date: Date
    let seconds: TimeInterval

    init(_ headers: [String: String], requestedAt: Date, receivedAt: Date) {
      date = headers["date"].flatMap { HTTPDate.date($0, now: receivedAt) } ?? receivedAt
      let stated = headers["age"].flatMap(Self.stated) ?? 0
      let apparent = max(0, receivedAt.timeIntervalSince(date))
      seconds = max(apparent, stated + max(0, receivedAt.timeIntervalSince(requestedAt)))
    }

    /// Returns the age that the field states, or the first age if the field states several.
    private static func stated(_ field: String) -> TimeInterval? {
      field.split(separator: ",").first.flatMap { CacheControl.seconds($0.trimmingCharacters(in: .whitespaces)) }
    }
  }
}
