/// The amount of measuring: either enough for figures, or only enough to show that everything runs.
enum Effort {
  /// Set once from the command line, before the first measurement.
  nonisolated(unsafe) static var isQuick = false

  static func rounds(_ count: Int) -> Int { isQuick ? 1 : count }

  /// Returns the number of images, futures, or entries to use: a tenth of `count` in a quick run. If the name of a row in the table states the
  /// number, the name must state this result, not `count`.
  static func some(_ count: Int) -> Int { isQuick ? count / 10 : count }
}
