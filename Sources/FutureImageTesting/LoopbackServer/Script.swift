extension LoopbackServer {
  /// The answers of one path: each is given once, and the last one repeats.
  struct Script: Sendable {
    private var answers: ArraySlice<Answer>

    init?(_ answers: [Answer]) {
      guard !answers.isEmpty else { return nil }
      self.answers = answers[...]
    }

    mutating func next() -> Answer? {
      answers.count > 1 ? answers.popFirst() : answers.first
    }
  }
}
