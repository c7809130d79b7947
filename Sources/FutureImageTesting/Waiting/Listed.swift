/// The number of the texts and, in parentheses, the texts themselves: the first ten of a long list.
func listed(_ texts: [String]) -> String {
  guard !texts.isEmpty else { return "0" }
  return "\(texts.count) (\(texts.prefix(10).joined(separator: ", "))\(texts.count > 10 ? ", …" : ""))"
}
