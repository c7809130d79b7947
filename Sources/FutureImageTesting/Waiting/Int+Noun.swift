extension Int {
  /// The count with its noun: "1 request", "2 requests".
  func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
