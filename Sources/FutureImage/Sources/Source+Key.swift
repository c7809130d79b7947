/// The key of a source, stored with its digest. An image is looked up by its key many times. A lookup compares the digests, and reads the
/// texts only if the digests are equal.
struct SourceKey: Hashable, Sendable {
  let text: String
  /// The digest, which is valid only in this process. Each process has its own seed, so that no server can choose keys that collide.
  let digest: Int

  init(_ text: String) {
    self.text = text
    digest = text.hashValue
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.digest == rhs.digest && lhs.text == rhs.text }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension FutureImage.Source {
  /// Returns the key of a source that an app or its feed named. It never equals the key of a URL or a file, whatever the name is. A name
  /// that could be mistaken for such a key gets a prefix, and any other name is used unchanged.
  ///
  /// | name | key |
  /// | --- | --- |
  /// | `print 7`, `urn:isbn:0451450523` | unchanged |
  /// | `https://shop.example/a.jpg` | `key https://shop.example/a.jpg` |
  /// | `key https://shop.example/a.jpg` | `key key https://shop.example/a.jpg` |
  static func key(named name: String) -> String { isMistakable(name.utf8[...]) ? "key " + name : name }

  /// Returns the key of a URL that has no name. Only the keys of `http`, `https` and `data` URLs have no prefix.
  static func key(of canonical: CanonicalURL, _ text: String) -> String {
    switch canonical.scheme {
    case "https", "http", "data": text
    default: "url " + text
    }
  }

  /// Whether a name could be mistaken for the key of a URL or a file. Compares bytes, because an accent after a prefix would change the
  /// last character of the prefix.
  private static func isMistakable(_ name: Substring.UTF8View) -> Bool {
    var name = name
    while name.starts(with: "key ".utf8) { name = name.dropFirst(4) }
    for scheme in ["https:", "http:", "data:"] where name.starts(with: scheme.utf8) { return true }
    // In the key of a file or a URL, a URL with a colon follows these prefixes.
    for word in ["file ", "url "] where name.starts(with: word.utf8) { return name.contains(UInt8(ascii: ":")) }
    return false
  }
}
