extension [UnownedJob] {
  /// The jobs by descending priority. Jobs of equal priority stay in the order of their arrival.
  var mostUrgentFirst: [UnownedJob] {
    guard let first, contains(where: { $0.priority != first.priority }) else { return self }
    // The offset makes the sort stable, because the documentation of `sort(by:)` does not promise stability.
    return enumerated().sorted { lhs, rhs in
      let (left, right) = (lhs.element.priority.rawValue, rhs.element.priority.rawValue)
      return left == right ? lhs.offset < rhs.offset : left > right
    }.map(\.element)
  }
}
