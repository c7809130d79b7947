/// Messages for developers about mistakes that have names, such as that of a recipe: one for each name.
final class DeveloperWarnings: Sendable {
  static let shared = DeveloperWarnings()

  /// Names are kept for good.
  static let most = 256

  private let write: @Sendable (String) -> Void
  private let names = Lock<Set<String>>([])

  init(write: @escaping @Sendable (String) -> Void = { writePlatformLog($0) }) {
    self.write = write
  }

  /// Writes the text unless one was written under that name, or 256 under others. Any thread.
  func report(_ text: @autoclosure () -> String, once name: String) {
    let isNew = names.withLock { $0.count < Self.most && $0.insert(name).inserted }
    if isNew { write(text()) }
  }
}
