/// The URLs that an app gave in place of expired ones, by key: a loader's futures use them as long as it lives, those made later too.
final class RenewedURLs: Sendable {
  private struct Entry {
    /// Those that the server refused, the latest last.
    var expired: [URL] = []
    var url: URL

    mutating func add(expired url: URL) {
      expired.removeAll { $0 == url }
      expired.append(url)
      if expired.count > RenewedURLs.expiredLimit { expired.removeFirst() }
    }
  }

  /// As many expired URLs are known of a key: its copies were decoded from as many answers of the app's server.
  private static let expiredLimit = 16

  // What is forgotten too soon costs a request and a question to the app.
  private let entries = Lock(MemoryCache<SourceKey, Entry>(countLimit: 1_000))

  /// The URL to request: the given one, unless it is known to have expired.
  func url(insteadOf url: URL, _ key: SourceKey) -> URL {
    entries.withLock { entries in
      guard !entries.isEmpty, let entry = entries.value(forKey: key), entry.expired.contains(url) else { return url }
      return entry.url
    }
  }

  /// Notes that a URL has expired.
  /// - Returns: another URL of the key that has not, as far as is known.
  func expire(_ url: URL, _ key: SourceKey) -> URL? {
    entries.withLock { entries in
      guard !entries.isEmpty, var entry = entries.value(forKey: key), entry.url != url else { return nil }
      entry.add(expired: url)
      // What leaves the cache are URLs.
      _ = entries.insert(entry, forKey: key, cost: 1)
      return entry.url
    }
  }

  /// Notes what the app gave in place of an expired URL.
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
