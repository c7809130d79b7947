/// Messages for developers about mistakes that an app may make in several places, such as in several recipes. Each place has a name, and
/// only the first mistake under a name is reported.
final class DeveloperWarnings: Sendable {
  static let shared = DeveloperWarnings()

  /// The limit on names, which are retained forever.
  static let most = 256

  private let write: @Sendable (String) -> Void
  private let names = Lock<Set<String>>([])

  init(write: @escaping @Sendable (String) -> Void = { writePlatformLog($0) }) {
    self.write = write
  }

  /// Writes the text, unless a text was already written under this name or under 256 other names. This method may be called on any thread.
  func report(_ text: @autoclosure () -> String, once name: String) {
    let isNew = names.withLock { $0.count < Self.most && $0.insert(name).inserted }
    if isNew { write(text()) }
  }
}
