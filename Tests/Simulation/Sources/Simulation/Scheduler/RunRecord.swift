/// The record of a run, turn by turn: which runner continued, from where, what it did, and where it stopped.
struct RunRecord {
  private struct Turn {
    let runner: Int
    let from: StaticString
    var acts: [String] = []
    var to: StaticString = "its end"
  }

  /// The maximum number of recorded turns and names.
  private static let room = 1 << 20

  private let beginning: String
  private var turns = [Turn(runner: 0, from: "its beginning")]
  private var names: [String] = []

  init(_ beginning: String) { self.beginning = beginning }

  /// Records the name of the runner with the next number.
  mutating func name(_ name: String) {
    if names.count < Self.room { names.append(name) }
  }

  /// Records what the running runner is about to do.
  mutating func note(_ act: String) { turns[turns.count - 1].acts.append(act) }

  /// Records that a runner stopped, and that the next runner continued.
  /// - Parameter hasEnded: whether `runner` has no more work.
  mutating func left(_ runner: Runner, for next: Runner, hasEnded: Bool = false) {
    guard turns.count < Self.room else { return }
    if !hasEnded { turns[turns.count - 1].to = runner.place }
    turns.append(Turn(runner: next.id, from: next.place))
  }

  var count: Int { turns.count }

  /// A digest of all names, places, and acts. Two runs of the same seed have the same digest.
  var digest: UInt64 {
    var digest = Digest()
    for name in names { digest.add(name) }
    for turn in turns {
      digest.add(UInt64(turn.runner))
      digest.add(turn.from)
      digest.add(turn.to)
      for act in turn.acts { digest.add(act) }
    }
    return digest.value
  }

  func print() {
    Swift.print(beginning)
    for (number, turn) in turns.enumerated() {
      let name = turn.runner < names.count ? names[turn.runner] : "a thread"
      let acts = turn.acts.map { "\n      \($0)" }.joined()
      Swift.print("\(number + 1). \(name) \(turn.runner), from \(turn.from) to \(turn.to)\(acts)")
    }
  }
}

/// A digest by the algorithm FNV-1a.
private struct Digest {
  private(set) var value: UInt64 = 14_695_981_039_346_656_037

  mutating func add(_ number: UInt64) { value = (value ^ number) &* 1_099_511_628_211 }

  mutating func add(_ text: StaticString) { text.withUTF8Buffer { add(UnsafeRawBufferPointer($0)) } }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    add(UInt64(bytes.count))
    for byte in bytes { add(UInt64(byte)) }
  }
}
