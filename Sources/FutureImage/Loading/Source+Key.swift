extension FutureImage.Source {
  /// The key of a source that an app or its feed named: that of no URL and no file, whatever the name looks like. A name that could be taken
  /// for one gets a word in front, all others are keys as they are.
  ///
  /// | name | key |
  /// | --- | --- |
  /// | `print 7`, `urn:isbn:0451450523` | as it is |
  /// | `https://shop.example/a.jpg` | `key https://shop.example/a.jpg` |
  /// | `key https://shop.example/a.jpg` | `key key https://shop.example/a.jpg` |
  static func key(named name: String) -> String { isMistakable(name.utf8[...]) ? "key " + name : name }

  /// The key of a URL that came without a name. Only those of `http`, `https` and `data` URLs stand without a word in front.
  static func key(of canonical: CanonicalURL, _ text: String) -> String {
    switch canonical.scheme {
    case "https", "http", "data": text
    default: "url " + text
    }
  }

  /// By bytes: a character of a name may have an accent on it.
  private static func isMistakable(_ name: Substring.UTF8View) -> Bool {
    var name = name
    while name.starts(with: "key ".utf8) { name = name.dropFirst(4) }
    for scheme in ["https:", "http:", "data:"] where name.starts(with: scheme.utf8) { return true }
    // Behind these words is a URL, which has a colon.
    for word in ["file ", "url "] where name.starts(with: word.utf8) { return name.contains(UInt8(ascii: ":")) }
    return false
  }
}
