/// The latest URL that the app provided for one image, and the expired URLs that it replaces. All current and later futures of the image in
/// a loader use that URL in place of the expired URLs.
struct RenewedURLs {
  /// The URLs that the server refused, the latest last.
  private var expired: [URL] = []
  private var url: URL?

  /// The maximum number of expired URLs that are remembered. The app's server may send a new URL of the image in each response, so the URLs
  /// of this many responses are recognized.
  private static let expiredLimit = 16

  var isEmpty: Bool { url == nil }

  /// Returns the URL to request: the given URL, or the renewed URL if the given URL is known to have expired.
  func url(insteadOf given: URL) -> URL {
    guard let url, expired.contains(given) else { return given }
    return url
  }

  /// Records that a URL has expired, if the app has provided a different one.
  /// - Returns: another URL of the image that is not known to have expired; nil if there is none.
  mutating func expire(_ given: URL) -> URL? {
    guard let url, url != given else { return nil }
    add(expired: given)
    return url
  }

  /// Stores the URL that the app provided in place of an expired one.
  /// - Returns: the new URL.
  @discardableResult mutating func renew(_ old: URL, with new: URL) -> URL {
    add(expired: old)
    expired.removeAll { $0 == new }
    url = new
    return new
  }

  private mutating func add(expired given: URL) {
    expired.removeAll { $0 == given }
    expired.append(given)
    if expired.count > Self.expiredLimit { expired.removeFirst() }
  }
}
