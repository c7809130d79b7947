/// The key of a source, stored with its digest. An image is looked up by its key many times: neither the text nor its location in memory is
/// read for that, unless another key has the same digest.
struct SourceKey: Hashable, Sendable {
  let text: String
  /// The digest in this process only: each process has its own seed, so that no server can choose keys that collide.
  let digest: Int

  init(_ text: String) {
    self.text = text
    digest = text.hashValue
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.digest == rhs.digest && lhs.text == rhs.text }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension FutureImage.Source {
  /// The key of a source that an app or its feed named. It never equals the key of a URL or a file, whatever the name looks like: a name
  /// that could be mistaken for one gets a prefix, and all others are keys as they are.
  ///
  /// | name | key |
  /// | --- | --- |
  /// | `print 7`, `urn:isbn:0451450523` | as it is |
  /// | `https://shop.example/a.jpg` | `key https://shop.example/a.jpg` |
  /// | `key https://shop.example/a.jpg` | `key key https://shop.example/a.jpg` |
  static func key(named name: String) -> String { isMistakable(name.utf8[...]) ? "key " + name : name }

  /// The key of a URL without a name. Only the keys of `http`, `https` and `data` URLs have no prefix.
  static func key(of canonical: CanonicalURL, _ text: String) -> String {
    switch canonical.scheme {
    case "https", "http", "data": text
    default: "url " + text
    }
  }

  /// Compares bytes, because a character of a name may have an accent on it.
  private static func isMistakable(_ name: Substring.UTF8View) -> Bool {
    var name = name
    while name.starts(with: "key ".utf8) { name = name.dropFirst(4) }
    for scheme in ["https:", "http:", "data:"] where name.starts(with: scheme.utf8) { return true }
    // A URL follows these prefixes, and it has a colon.
    for word in ["file ", "url "] where name.starts(with: word.utf8) { return name.contains(UInt8(ascii: ":")) }
    return false
  }
}
