import FutureImage

/// Turns of a loader's main queue that wait until they are run.
final class HeldTurns: Sendable {
  private let turns = Lock<[@Sendable () -> Void]>([], rank: .testing)

  var isEmpty: Bool { turns.withLock { $0.isEmpty } }

  func add(_ turn: @escaping @Sendable () -> Void) { turns.withLock { $0.append(turn) } }

  /// Runs the oldest turn.
  @MainActor func run() {
    let turn = turns.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    turn?()
  }
}
