/// The URLs of one image that an app provided in place of expired ones. The futures of a loader, later ones included, use them.
struct RenewedURLs {
  /// The URLs that the server refused, the latest last.
  private var expired: [URL] = []
  private var url: URL?

  /// The number of expired URLs that are remembered: copies of the image were decoded from that many responses of the app's server.
  private static let expiredLimit = 16

  var isEmpty: Bool { url == nil }

  /// The URL to request: the given one, unless it is known to have expired.
  func url(insteadOf given: URL) -> URL {
    guard let url, expired.contains(given) else { return given }
    return url
  }

  /// Notes that a URL has expired.
  /// - Returns: another URL of the image that is not known to have expired.
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
