/// What happened, a line for each change of threads.
struct Story {
  private struct Change {
    let left: Int, next: Int
    let leftAt: StaticString, nextAt: StaticString
  }

  /// How much of it is kept.
  private static let room = 1 << 20

  private let beginning: String
  private var changes: [Change] = []
  private var names: [String] = []

  init(_ beginning: String) { self.beginning = beginning }

  /// Of the runner that has the next number.
  mutating func name(_ name: String) {
    if names.count < Self.room { names.append(name) }
  }

  mutating func left(_ runner: Runner, for next: Runner) {
    if changes.count < Self.room { changes.append(Change(left: runner.id, next: next.id, leftAt: runner.place, nextAt: next.place)) }
  }

  /// Of all changes: two runs of one seed have the same.
  var digest: UInt64 {
    // FNV-1a.
    changes.reduce(14_695_981_039_346_656_037) { digest, change in
      [change.left, change.next].reduce(digest) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
  }

  func print() {
    func name(_ id: Int) -> String { id < names.count ? "\(names[id]) \(id)" : "\(id)" }
    Swift.print(beginning)
    for (number, change) in changes.enumerated() {
      Swift.print("\(number + 1). \(name(change.left)), at \(change.leftAt), is left for \(name(change.next)), at \(change.nextAt)")
    }
  }
}
