/// Messages for developers about mistakes that have names, such as that of a recipe: one for each name.
final class DeveloperWarnings: Sendable {
  static let shared = DeveloperWarnings()

  private let write: @Sendable (String) -> Void
  private let names = Lock<Set<String>>([])

  init(write: @escaping @Sendable (String) -> Void = { writePlatformLog($0) }) {
    self.write = write
  }

  /// Writes the text unless one was written under that name. Any thread.
  /// - Parameter name: one that comes from the app's code, never from data, since names are kept for good.
  func report(_ text: @autoclosure () -> String, once name: String) {
    if names.withLock({ $0.insert(name).inserted }) { write(text()) }
  }
}
