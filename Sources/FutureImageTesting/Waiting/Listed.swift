/// Returns the number of the texts and, in parentheses, the first ten of them.
func listed(_ texts: [String]) -> String {
  guard !texts.isEmpty else { return "0" }
  return "\(texts.count) (\(texts.prefix(10).joined(separator: ", "))\(texts.count > 10 ? ", …" : ""))"
}
