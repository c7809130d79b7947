extension Int {
  /// The number in a header field: decimal digits and nothing else. `Int` itself accepts a sign.
  ///
  /// Returns nil for anything else, and for a number that `Int` cannot hold.
  package init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self.init(text)
  }

  /// The seconds of a `delta-seconds` field: RFC 9111, section 1.2.2. Larger numbers count as 2³¹.
  init?(deltaSeconds text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self = Swift.min(Int(text) ?? .max, 1 << 31)
  }
}
