import Testing

/// A text that a user of the library can see, with its cause and with the expected text.
struct TextRow: Sendable, CustomTestStringConvertible {
  let cause: String
  let text: String
  let expected: String

  init(_ cause: String, _ text: String, _ expected: String) {
    self.cause = cause
    self.text = text
    self.expected = expected
  }

  var testDescription: String { cause }

  /// Whether the text gives advice: a part after a semicolon, or a second sentence. The message of another library, in parentheses at the
  /// end, does not count.
  private var hasAdvice: Bool {
    let own = text.replacing(/[ ]\([^()]*(?:\([^()]*\)[^()]*)?\)\.$/, with: ".")
    return own.contains(/; \S|[^.]\. [A-Z]/)
  }

  /// The differences from the expected text, and the faults in the form of the text.
  var faults: [String] {
    var faults: [String] = []
    if text != expected { faults.append("it is another text: “\(text)”") }
    if !text.hasSuffix(".") || text.hasSuffix("..") { faults.append("it does not end with one period") }
    for piece in [": .", "  ", "; ;", "The image was not requested: The", "Optional(", "truncated:", "too large:", "unsupported:"]
    where text.contains(piece) {
      faults.append("it contains “\(piece)”")
    }
    if !hasAdvice { faults.append("it does not say what to do") }
    if let source = text.firstMatch(of: /https?:\/\/\S+/)?.output, text.ranges(of: source).count > 1 {
      faults.append("it names the image twice")
    }
    return faults
  }
}
