/// How much is measured: enough for figures, or only enough to see that all of it runs.
enum Effort {
  /// Set once, by the command line, before anything is measured.
  nonisolated(unsafe) static var isQuick = false

  static func rounds(_ count: Int) -> Int { isQuick ? 1 : count }

  /// How many pictures, futures or entries, where their number is not part of what is said.
  static func some(_ count: Int) -> Int { isQuick ? count / 10 : count }
}
