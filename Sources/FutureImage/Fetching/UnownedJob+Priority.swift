extension [UnownedJob] {
  /// The jobs by descending priority; jobs of one priority in the order of their arrival.
  var mostUrgentFirst: [UnownedJob] {
    guard let first, contains(where: { $0.priority != first.priority }) else { return self }
    // The offset makes the sort stable: the documentation of `sort(by:)` does not promise that.
    return enumerated().sorted { lhs, rhs in
      let (left, right) = (lhs.element.priority.rawValue, rhs.element.priority.rawValue)
      return left == right ? lhs.offset < rhs.offset : left > right
    }.map(\.element)
  }
}
