extension Error {
  /// The error's own description, as the end of a sentence.
  ///
  /// The interpolation of an `NSError` contains its whole `userInfo`, including URLs with credentials. Its `localizedDescription` does not.
  package var words: String {
    if let failure = self as? FutureImage.Failure { return failure.why }
    if let text = (self as? any LocalizedError)?.errorDescription { return text.clause }
    let isOfFoundation = self is any CustomNSError || type(of: self) is NSError.Type
    return (isOfFoundation ? localizedDescription : "\(self)").clause
  }
}

extension String {
  /// The text as the end of a sentence: without white space around it, and without a period, because the sentence itself has one.
  var clause: String {
    var text = trimmingCharacters(in: .whitespacesAndNewlines)
    while text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// - Parameter fallback: the clause to use for a text that says nothing.
  func clause(or fallback: String) -> String {
    let text = clause
    return text.isEmpty ? fallback : text
  }
}

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
