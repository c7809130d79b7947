/// The amount of measuring: enough for figures, or only enough to see that everything runs.
enum Effort {
  /// Set once from the command line, before the first measurement.
  nonisolated(unsafe) static var isQuick = false

  static func rounds(_ count: Int) -> Int { isQuick ? 1 : count }

  /// The number of images, futures, or entries where the row does not state it.
  static func some(_ count: Int) -> Int { isQuick ? count / 10 : count }
}
