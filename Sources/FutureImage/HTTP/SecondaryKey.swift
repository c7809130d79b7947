/// The names of the request fields by which a server selected a response, as its `Vary` field states, and a digest of their values. A pure
/// value. Source: RFC 9111, section 4.1, where the URL is the primary key.
///
/// The values may be credentials, so only their digest is stored. Fields that the loader adds by itself (conditions and ranges) do not
/// count. Fields that every fetcher adds in the same way, and fields that only browsers send, count only if the app has set them.
///
/// | `Vary` | request fields | key |
/// | --- | --- | --- |
/// | `Accept-Language, Accept` | `Accept-Language: de` | `accept-language` and a digest |
/// | `Accept-Language` | none | `accept-language` and another digest |
/// | `Accept-Encoding, Origin` | none | none |
struct SecondaryKey: Hashable, Sendable {
  /// The sorted names in lowercase, joined by commas, then a space and 32 hexadecimal digits.
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// - Parameters:
  ///   - vary: the value of the `Vary` field. A `*` in it is skipped here. A response with `*` fits no other request, whatever the fields
  ///     of the request are.
  ///   - fields: the request's fields, as the app and the loader have set them.
  init?(vary: String, fields: [String: String]) {
    let fields = Dictionary(fields.sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) }) { $0 + "," + $1 }
    let names = Set(vary.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() })
    let relevant = names.filter { !$0.isEmpty && $0 != "*" && !Self.isOfLoader($0) && (fields[$0] != nil || !Self.isOfFetcher($0)) }
    guard !relevant.isEmpty else { return nil }
    let ordered = relevant.sorted()
    // Each value is prefixed with its length, so that different sets of values never produce the same text.
    let values = ordered.map { name in fields[name].map { "\($0.utf8.count):\($0)" } ?? "-" }
    text = ordered.joined(separator: ",") + " " + SHA256.hex(of: Data(values.joined().utf8)).prefix(32)
  }

  /// Whether the response fits a request with these fields.
  func fits(_ fields: [String: String]) -> Bool { Self(vary: names, fields: fields) == self }

  /// The names of the fields, as in `Vary`.
  var names: String { text.prefix { $0 != " " }.description }

  private static func isOfLoader(_ name: String) -> Bool {
    ["if-none-match", "if-modified-since", "if-range", "range", "cache-control"].contains(name)
  }

  private static func isOfFetcher(_ name: String) -> Bool {
    name.hasPrefix("access-control-") || name.hasPrefix("sec-") || ["accept", "accept-encoding", "user-agent", "origin"].contains(name)
  }
}
