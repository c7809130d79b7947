/// The amount of measuring: either enough for figures, or only enough to show that everything runs.
enum Effort {
  /// Set once from the command line, before the first measurement.
  nonisolated(unsafe) static var isQuick = false

  static func rounds(_ count: Int) -> Int { isQuick ? 1 : count }

  /// Returns the number of images, futures, or entries to use. If the name of the row states the number, it must state this result.
  static func some(_ count: Int) -> Int { isQuick ? count / 10 : count }
}
