extension Int {
  /// The number that a header field states: decimal digits and nothing else. `Int` itself takes a sign.
  ///
  /// Nil for anything else, and for a number that `Int` cannot hold.
  package init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self.init(text)
  }

  /// The seconds of a `delta-seconds` field: RFC 9111, section 1.2.2. What is too large counts as 2³¹.
  init?(deltaSeconds text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self = Swift.min(Int(text) ?? .max, 1 << 31)
  }
}
