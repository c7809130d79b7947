/// The URLs that an app provided in place of expired ones, by key. A loader's futures, later ones included, use them as long as it lives.
final class RenewedURLs: Sendable {
  private struct Entry {
    /// The URLs that the server refused, the latest last.
    var expired: [URL] = []
    var url: URL

    mutating func add(expired url: URL) {
      expired.removeAll { $0 == url }
      expired.append(url)
      if expired.count > RenewedURLs.expiredLimit { expired.removeFirst() }
    }
  }

  /// The number of expired URLs that are remembered for a key: its copies were decoded from that many responses of the app's server.
  private static let expiredLimit = 16

  // An entry that is evicted too soon costs a request and a call of the app's closure.
  private let entries = Lock(MemoryCache<SourceKey, Entry>(countLimit: 1_000))

  /// The URL to request: the given one, unless it is known to have expired.
  func url(insteadOf url: URL, _ key: SourceKey) -> URL {
    entries.withLock { entries in
      guard !entries.isEmpty, let entry = entries.value(forKey: key), entry.expired.contains(url) else { return url }
      return entry.url
    }
  }

  /// Notes that a URL has expired.
  /// - Returns: another URL of the key that is not known to have expired.
  func expire(_ url: URL, _ key: SourceKey) -> URL? {
    entries.withLock { entries in
      guard !entries.isEmpty, var entry = entries.value(forKey: key), entry.url != url else { return nil }
      entry.add(expired: url)
      // The cache evicts only URLs.
      _ = entries.insert(entry, forKey: key, cost: 1)
      return entry.url
    }
  }

  /// Stores the URL that the app provided in place of an expired one.
  func renew(_ url: URL, with new: URL, _ key: SourceKey) {
    entries.withLock { entries in
      var entry = entries.value(forKey: key) ?? Entry(url: new)
      entry.add(expired: url)
      entry.expired.removeAll { $0 == new }
      entry.url = new
      _ = entries.insert(entry, forKey: key, cost: 1)
    }
  }
}
