extension [UnownedJob] {
  /// The jobs by priority; those of one priority in the order in which they came.
  var mostUrgentFirst: [UnownedJob] {
    guard let first, contains(where: { $0.priority != first.priority }) else { return self }
    // Sorting is stable only by the number beside it: the documentation of `sort(by:)` does not promise it.
    return enumerated().sorted { lhs, rhs in
      let (left, right) = (lhs.element.priority.rawValue, rhs.element.priority.rawValue)
      return left == right ? lhs.offset < rhs.offset : left > right
    }.map(\.element)
  }
}
