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
