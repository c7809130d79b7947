import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct CacheEntryTests {
  /// Sun, 06 Nov 1994 12:00:00 GMT
  private static let noon = Date(timeIntervalSince1970: 784_123_200)

  private func entry(_ headers: [String: String]) -> FutureImage.CacheEntry {
    let freshness = Freshness(status: 200, headers: headers, requestedAt: Self.noon, receivedAt: Self.noon)
    return FutureImage.CacheEntry(body: Data([1]), headers: headers, freshness: freshness, receivedAt: Self.noon)
  }

  @Test(arguments: [
    ("max-age=60", 59.0, FutureImage.CacheEntry.Standing.fresh), ("max-age=60", 0, .fresh), ("max-age=60", 60, .stale),
    ("max-age=60, must-revalidate", 59, .fresh),
    ("max-age=60, must-revalidate", 60, .unconfirmed), ("no-cache", 0, .unconfirmed), ("must-revalidate", 0, .unconfirmed),
    ("public", 1e9, .fresh), ("max-age=0", 0, .stale)
  ])
  func `the age and the Cache-Control directives decide whether an entry is fresh, stale, or unconfirmed`(
    control: String, seconds: TimeInterval, standing: FutureImage.CacheEntry.Standing
  ) {
    #expect(entry(["cache-control": control]).standing(at: Self.noon + seconds) == standing)
  }

  @Test func `an entry is stale while the clock shows a time before the entry was received, and fresh once the clock is right`() {
    let entry = entry(["cache-control": "max-age=60"])
    let year: TimeInterval = 365 * 86_400
    #expect(entry.standing(at: Self.noon - year) == .stale)
    #expect(entry.standing(at: Self.noon - 1) == .stale)
    #expect(entry.standing(at: Self.noon + year) == .stale)
    #expect(entry.standing(at: Self.noon + 30) == .fresh)
    #expect(self.entry(["cache-control": "max-age=60, must-revalidate"]).standing(at: Self.noon - 1) == .unconfirmed)
    // An entry without a lifetime does not depend on the clock.
    #expect(self.entry([:]).standing(at: Self.noon - year) == .fresh)
  }

  /// The disk cache adjusts an entry after the clock was set back, so that the entry is not fresh again when the clock has caught up.
  @Test func `if the clock was set back, an adjusted entry counts as received now, and never becomes fresh again`() {
    let entry = entry(["cache-control": "max-age=60"])
    let year: TimeInterval = 365 * 86_400
    let rebased = entry.rebased(to: Self.noon - year)
    #expect(rebased.receivedAt == Self.noon - year)
    #expect(rebased.standing(at: Self.noon - year) == .stale)
    #expect(rebased.standing(at: Self.noon) == .stale)
    // If the clock is not before the time of receipt, the entry does not change.
    #expect(entry.rebased(to: Self.noon + 30) == entry)
    #expect(entry.rebased(to: Self.noon) == entry)
  }

  @Test func `an entry without a time of receipt is fresh until the date in freshUntil`() {
    let entry = FutureImage.CacheEntry(body: Data([1]), eTag: nil, freshUntil: Self.noon + 60)
    #expect(entry.standing(at: Self.noon) == .fresh)
    #expect(entry.standing(at: Self.noon + 60) == .stale)
  }

  @Test func `a 304 updates the fields that it contains, and does not change other fields`() {
    let known = entry(["cache-control": "max-age=60, must-revalidate", "etag": "\"a\"", "last-modified": "Sun, 06 Nov 1994 02:00:00 GMT"])
    let later = Self.noon + 1000
    let bare = known.renewed(headers: [:], requestedAt: later, receivedAt: later)
    #expect(bare.freshUntil == later + 60)
    #expect(bare.receivedAt == later)
    #expect(bare.mustRevalidate)
    #expect(bare.eTag == "\"a\"")
    #expect(bare.lastModified == "Sun, 06 Nov 1994 02:00:00 GMT")
    #expect(bare.body == known.body)
    let named = known.renewed(
      headers: ["cache-control": "max-age=5", "etag": "\"b\"", "last-modified": "then"], requestedAt: later, receivedAt: later)
    #expect(named.freshUntil == later + 5)
    #expect(!named.mustRevalidate)
    #expect(named.eTag == "\"b\"")
    #expect(named.lastModified == "then")
    let strict = entry([:]).renewed(headers: ["cache-control": "no-cache"], requestedAt: later, receivedAt: later)
    #expect(strict.standing(at: later) == .unconfirmed)
  }

  @Test func `a 304 does not recompute a heuristic lifetime, but adds a lifetime to an entry that had none`() {
    // A heuristic lifetime is a tenth of the time since the last modification.
    let guessed = entry(["last-modified": "Sun, 06 Nov 1994 02:00:00 GMT"])
    let later = Self.noon + 86_400
    #expect(guessed.renewed(headers: [:], requestedAt: later, receivedAt: later).freshUntil == later + 3600)
    let silent = entry([:]).renewed(
      headers: ["last-modified": "Sun, 06 Nov 1994 12:00:00 GMT"], requestedAt: later, receivedAt: later)
    #expect(silent.freshUntil == later + 8640)
  }

  /// `Cache-Control` takes precedence over `Expires`, and applies until a 304 has another `Cache-Control`: RFC 9111, sections 3.2, 4.3.4,
  /// and 5.3.
  @Test(arguments: [
    ("max-age=60, must-revalidate", 60.0, true), ("max-age=60", 60, false), ("no-cache", 0, true), ("no-cache, max-age=60", 0, true),
    ("must-revalidate", 3600, true), ("public", 3600, false)
  ])
  func `a 304 with only Expires does not override the stored Cache-Control`(control: String, seconds: TimeInterval, mustRevalidate: Bool) {
    let later = Self.noon + 1000
    let renewed = entry(["cache-control": control]).renewed(
      headers: ["expires": "Sun, 06 Nov 1994 13:16:40 GMT"], requestedAt: later, receivedAt: later)
    #expect(renewed.freshUntil == later + seconds)
    #expect(renewed.mustRevalidate == mustRevalidate)
    // A second 304 changes nothing.
    let again = renewed.renewed(
      headers: ["expires": "Sun, 06 Nov 1994 13:16:40 GMT"], requestedAt: later, receivedAt: later)
    #expect(again.freshUntil == later + seconds)
    #expect(again.mustRevalidate == mustRevalidate)
  }

  @Test func `Expires applies again after a 304 whose Cache-Control states no lifetime`() {
    let later = Self.noon + 1000
    let restated = entry(["cache-control": "max-age=60, must-revalidate"]).renewed(
      headers: ["cache-control": "public"], requestedAt: later, receivedAt: later)
    #expect(restated.freshUntil == later + 60)
    #expect(!restated.mustRevalidate)
    let renewed = restated.renewed(
      headers: ["expires": "Sun, 06 Nov 1994 13:16:40 GMT"], requestedAt: later, receivedAt: later)
    #expect(renewed.freshUntil == later + 3600)
  }

  @Test func `Expires no longer applies after a 304 whose Cache-Control states a lifetime`() {
    let later = Self.noon + 1000
    let restated = entry(["expires": "Sun, 06 Nov 1994 12:01:00 GMT"]).renewed(
      headers: ["cache-control": "max-age=5"], requestedAt: later, receivedAt: later)
    let renewed = restated.renewed(
      headers: ["expires": "Sun, 06 Nov 1994 13:16:40 GMT"], requestedAt: later, receivedAt: later)
    #expect(renewed.freshUntil == later + 5)
  }

  @Test func `an entry must be revalidated after a 304 with Vary: *`() {
    let later = Self.noon + 1000
    let renewed = entry(["cache-control": "max-age=60"]).renewed(headers: ["vary": "*"], requestedAt: later, receivedAt: later)
    #expect(renewed.standing(at: later) == .unconfirmed)
  }

  @Test func `a 304 with only Expires renews a lifetime that came from Expires`() {
    let known = entry(["expires": "Sun, 06 Nov 1994 12:01:00 GMT"])
    let later = Self.noon + 1000
    let renewed = known.renewed(headers: ["expires": "Sun, 06 Nov 1994 13:16:40 GMT"], requestedAt: later, receivedAt: later)
    #expect(renewed.freshUntil == later + 3600)
    #expect(!renewed.mustRevalidate)
  }
}
