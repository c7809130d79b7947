/// What an answer's header fields say about keeping its body, for a cache that serves one user. Pure. Source: RFC 9111.
///
/// Received at 12:00:00, with `Date` the same unless it says otherwise, status 200:
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
/// `private`, `public`, `proxy-revalidate` and `s-maxage` speak to shared caches. `immutable` changes nothing: what is fresh is not asked
/// about in any case, but for a `reload()`, which is the user's wish. `stale-while-revalidate` permits what is done without it: section
/// 4.2.4 lets a client allow stale answers, and a picture that is swapped a moment later is better than none. It sets no bound either.
struct Freshness: Hashable, Sendable {
  /// Until when the body may be shown without asking; nil if the server did not say.
  let freshUntil: Date?
  /// Whether it may be kept beyond the models that show it.
  let mayStore: Bool
  /// Whether it may be shown, once stale, before the server was asked.
  let mayShowStale: Bool
  /// Whether anything in the fields says how long it lasts: else an answer that renews another leaves that one's lifetime.
  let isExplicit: Bool
  /// Whether that is `Cache-Control`, which goes before `Expires`; or `Vary`, which forbids to show it in any case.
  let isBoundByCacheControl: Bool

  /// Where only `Last-Modified` is known, a picture is presumed to last a tenth of its age, as section 4.2.2 suggests, and at most this.
  static let longestGuess: TimeInterval = 7 * 86_400

  /// - Parameters:
  ///   - headers: by lower-case name.
  ///   - requestedAt: when the request was sent: the time on the way counts as age.
  init(status: Int, headers: [String: String], requestedAt: Date, receivedAt: Date) {
    let control = CacheControl(headers["cache-control"])
    let age = Age(headers, requestedAt: requestedAt, receivedAt: receivedAt)
    let lifetime = Self.statedLifetime(control, headers, age.date)
    let mustAsk = control.has("no-cache") || headers["vary"].map(Self.variesByAll) ?? false
    isExplicit = mustAsk || lifetime != nil
    isBoundByCacheControl = mustAsk || control.has("max-age")
    mayShowStale = !mustAsk && !control.has("must-revalidate")
    // Without a word of the server only some kinds of answers may be kept (section 3); one that is a part of a body is none of ours.
    let isUsual = status == 200 || status == 203 || (lifetime != nil && [201, 202, 226].contains(status))
    mayStore = isUsual && (!control.has("no-store") || control.has("must-understand"))
    if mustAsk {
      freshUntil = receivedAt
    } else {
      let lifetime = lifetime ?? Self.guessedLifetime(headers, age.date)
      freshUntil = lifetime.map { receivedAt + max(0, $0 - age.seconds) }
    }
  }

  /// Section 4.2.1.
  private static func statedLifetime(_ control: CacheControl, _ headers: [String: String], _ date: Date) -> TimeInterval? {
    if let seconds = control.seconds("max-age") { return seconds }
    guard let expires = headers["expires"] else { return nil }
    // What is no date, "0" above all, is a time in the past (section 5.3).
    return max(0, HTTPDate.date(expires, now: date)?.timeIntervalSince(date) ?? 0)
  }

  private static func guessedLifetime(_ headers: [String: String], _ date: Date) -> TimeInterval? {
    guard let modified = headers["last-modified"].flatMap({ HTTPDate.date($0, now: date) }) else { return nil }
    return min(max(0, date.timeIntervalSince(modified)) / 10, longestGuess)
  }

  /// Section 4.1: such an answer fits no other request.
  private static func variesByAll(_ vary: String) -> Bool {
    vary.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == "*" }
  }

  /// How old the answer was when it came, by section 4.2.3.
  private struct Age {
    /// The server's clock; ours, where it does not say.
    let date: Date
    let seconds: TimeInterval

    init(_ headers: [String: String], requestedAt: Date, receivedAt: Date) {
      date = headers["date"].flatMap { HTTPDate.date($0, now: receivedAt) } ?? receivedAt
      let stated = headers["age"].flatMap(Self.stated) ?? 0
      let apparent = max(0, receivedAt.timeIntervalSince(date))
      seconds = max(apparent, stated + max(0, receivedAt.timeIntervalSince(requestedAt)))
    }

    /// Of several the first counts.
    private static func stated(_ field: String) -> TimeInterval? {
      field.split(separator: ",").first.flatMap { CacheControl.seconds($0.trimmingCharacters(in: .whitespaces)) }
    }
  }
}
