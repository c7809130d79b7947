extension Error {
  /// The error's own description, as the end of a sentence.
  ///
  /// The interpolation of an `NSError` contains its whole `userInfo`, including URLs with credentials. Its `localizedDescription` is only
  /// the message.
  package var words: String {
    if let failure = self as? FutureImage.Failure { return failure.why }
    if let text = (self as? any LocalizedError)?.errorDescription { return text.clause }
    let isOfFoundation = self is any CustomNSError || type(of: self) is NSError.Type
    return (isOfFoundation ? localizedDescription : "\(self)").clause
  }
}

extension String {
  /// The text as the end of a sentence, without white space around it. It has no period, because the sentence itself ends with a period.
  var clause: String {
    var text = trimmingCharacters(in: .whitespacesAndNewlines)
    while text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// - Parameter fallback: the clause to use if the text has no content.
  func clause(or fallback: String) -> String {
    let text = clause
    return text.isEmpty ? fallback : text
  }
}

extension Int {
  /// Creates the number in a header field, which has decimal digits and nothing else. The other initializers of `Int` accept a sign.
  ///
  /// Returns nil for any other text, and for a number that exceeds the range of `Int`.
  package init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self.init(text)
  }

  /// Creates the number of seconds in a `delta-seconds` field: RFC 9111, section 1.2.2. Larger numbers than 2³¹ count as 2³¹.
  init?(deltaSeconds text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self = Swift.min(Int(text) ?? .max, 1 << 31)
  }
}
