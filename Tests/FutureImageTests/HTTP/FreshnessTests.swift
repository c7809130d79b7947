import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct FreshnessTests {
  /// Sun, 06 Nov 1994 12:00:00 GMT
  private static let noon = Date(timeIntervalSince1970: 784_123_200)

  private func freshness(
    _ headers: [String: String], status: Int = 200, requested: TimeInterval = 0, date: String? = "Sun, 06 Nov 1994 12:00:00 GMT"
  ) -> Freshness {
    var headers = headers
    headers["date"] = headers["date"] ?? date
    return Freshness(status: status, headers: headers, requestedAt: Self.noon - requested, receivedAt: Self.noon)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let headers: [String: String]
    /// The end of the freshness, in seconds after noon.
    let until: TimeInterval?
    var isStored = true
    var showsStale = true

    init(_ headers: [String: String], _ until: TimeInterval?, isStored: Bool = true, showsStale: Bool = true) {
      (self.headers, self.until, self.isStored, self.showsStale) = (headers, until, isStored, showsStale)
    }

    var testDescription: String { "\(headers)" }
  }

  @Test(arguments: [
    // These rows are the table in the documentation of `Freshness`.
    Row([:], nil),
    Row(["cache-control": "max-age=60"], 60),
    Row(["cache-control": "max-age=60", "age": "20"], 40),
    Row(["cache-control": "max-age=60", "date": "Sun, 06 Nov 1994 11:59:30 GMT"], 30),
    Row(["cache-control": "max-age=60, s-maxage=900"], 60),
    Row(["cache-control": "max-age=60, must-revalidate"], 60, showsStale: false),
    Row(["cache-control": "no-cache, max-age=60"], 0, showsStale: false),
    Row(["cache-control": "no-store"], nil, isStored: false),
    Row(["cache-control": "max-age=x"], 0),
    Row(["cache-control": "max-age=60", "expires": "Sun, 06 Nov 1994 13:00:00 GMT"], 60),
    Row(["expires": "Sun, 06 Nov 1994 13:00:00 GMT"], 3600),
    Row(["expires": "0"], 0),
    Row(["last-modified": "Sun, 06 Nov 1994 02:00:00 GMT"], 3600),
    Row(["last-modified": "Sat, 06 Nov 1993 12:00:00 GMT"], 7 * 86_400),
    Row(["vary": "*", "cache-control": "max-age=60"], 0, showsStale: false),
    // Fields that the table does not list.
    Row(["cache-control": "MAX-AGE=60"], 60),
    Row(["cache-control": "max-age=\"60\""], 60),
    Row(["cache-control": "max-age=0"], 0),
    Row(["cache-control": "max-age=-5"], 0),
    Row(["cache-control": "max-age=60, max-age=90"], 60),
    Row(["cache-control": "max-age=99999999999999999999"], 2_147_483_648),
    Row(["cache-control": "max-age=60", "age": "90"], 0),
    Row(["cache-control": "max-age=60", "age": "x"], 60),
    Row(["cache-control": "max-age=60", "age": "20, 30"], 40),
    Row(["cache-control": "max-age=60", "date": "Sun, 06 Nov 1994 13:00:00 GMT"], 60),
    Row(["cache-control": "max-age=60", "date": "nonsense"], 60),
    Row(["cache-control": "private, max-age=60, immutable"], 60),
    Row(["cache-control": "max-age=60, proxy-revalidate"], 60),
    Row(["cache-control": "max-age=60, stale-while-revalidate=30"], 60),
    Row(["cache-control": "max-age=60, stale-while-revalidate=30, must-revalidate"], 60, showsStale: false),
    Row(["cache-control": "must-revalidate"], nil, showsStale: false),
    Row(["cache-control": "no-cache=\"set-cookie, max-age=5\""], 0, showsStale: false),
    Row(["cache-control": "no-store, max-age=60"], 60, isStored: false),
    Row(["cache-control": "no-store, must-understand, max-age=60"], 60),
    Row(["cache-control": "s-maxage=900"], nil),
    Row(["cache-control": "s-maxage=900", "expires": "Sun, 06 Nov 1994 13:00:00 GMT"], 3600),
    Row(["expires": "Sun, 06 Nov 1994 11:00:00 GMT"], 0),
    Row(["expires": "Sunday, 06-Nov-94 13:00:00 GMT"], 3600),
    Row(["expires": "Sun Nov  6 13:00:00 1994"], 3600),
    Row(["expires": "Sun, 06 Nov 1994 13:00:00 GMT", "date": "Sun, 06 Nov 1994 12:30:00 GMT"], 1800),
    Row(["expires": "-1", "last-modified": "Sun, 06 Nov 1994 02:00:00 GMT"], 0),
    Row(["last-modified": "Sun, 06 Nov 1994 02:00:00 GMT", "age": "600"], 3000),
    Row(["last-modified": "Mon, 07 Nov 1994 12:00:00 GMT"], 0),
    Row(["last-modified": "yesterday"], nil),
    Row(["vary": "accept, accept-encoding", "cache-control": "max-age=60"], 60)
  ])
  func `freshness follows from the header fields as RFC 9111 specifies`(row: Row) {
    let freshness = freshness(row.headers)
    #expect(freshness.freshUntil == row.until.map { Self.noon + $0 })
    #expect(freshness.mayStore == row.isStored)
    #expect(freshness.mayShowStale == row.showsStale)
  }

  @Test(
    arguments: [
      (301, [:], nil), (308, [:], nil), (302, [:], 0), (303, [:], 0), (307, [:], 0), (302, ["cache-control": "max-age=60"], 60),
      (307, ["expires": "Sun, 06 Nov 1994 13:00:00 GMT"], 3600), (301, ["cache-control": "max-age=60"], 60)
    ] as [(Int, [String: String], TimeInterval?)])
  func `a temporary redirect is stale at once unless it states a lifetime`(status: Int, headers: [String: String], until: TimeInterval?) {
    let redirect = freshness(headers, status: status)
    #expect(redirect.freshUntil == until.map { Self.noon + $0 })
    #expect(redirect.mayStore && redirect.mayShowStale)
  }

  @Test func `an image behind a redirect is no fresher than either response, and is stored only if both permit it`() {
    let (hour, minute) = (freshness(["cache-control": "max-age=3600"]), freshness(["cache-control": "max-age=60"], status: 302))
    #expect(hour.behind(minute).freshUntil == Self.noon + 60)
    #expect(minute.behind(hour).freshUntil == Self.noon + 60)
    #expect(freshness([:]).behind(minute).freshUntil == Self.noon + 60)
    #expect(hour.behind(freshness([:], status: 301)).freshUntil == Self.noon + 3600)
    #expect(freshness([:]).behind(freshness([:], status: 301)).freshUntil == nil)
    #expect(hour.behind(freshness([:], status: 302)).freshUntil == Self.noon)
    #expect(!hour.behind(freshness(["cache-control": "no-store"], status: 302)).mayStore)
    #expect(!hour.behind(freshness(["cache-control": "no-cache"], status: 301)).mayShowStale)
  }

  @Test func `the time in transit counts toward the age of a response`() {
    #expect(freshness(["cache-control": "max-age=60", "age": "20"], requested: 10).freshUntil == Self.noon + 30)
    // The time does not count if the clock was set back in the meantime.
    #expect(freshness(["cache-control": "max-age=60"], requested: -10).freshUntil == Self.noon + 60)
  }

  @Test func `the time of receipt counts as the date of a response without a Date field`() {
    #expect(freshness(["expires": "Sun, 06 Nov 1994 13:00:00 GMT"], date: nil).freshUntil == Self.noon + 3600)
  }

  @Test(arguments: [
    (200, true, true), (203, true, true), (201, false, true), (202, false, true), (226, false, true), (204, false, false),
    (206, false, false), (304, false, false), (404, false, false), (500, false, false)
  ])
  func `only complete images are stored, and images with unusual statuses are stored only with a stated lifetime`(
    status: Int, silent: Bool, stated: Bool
  ) {
    #expect(freshness([:], status: status).mayStore == silent)
    #expect(freshness(["cache-control": "max-age=60"], status: status).mayStore == stated)
  }
}
