import Foundation

/// One row of the table.
struct FaultCase: Sendable {
  let number: Int
  let name: String
  /// Only a guard: nothing here should come near it.
  var deadline = Duration.seconds(30)
  /// Why the URLSession of swift-corelibs-foundation cannot meet it.
  var corelibsFault: String?
  var needsNginx = false
  /// Plays it, and says what came of it.
  let play: @Sendable (FaultScene) async throws -> String

  init(
    _ number: Int, _ name: String, corelibsFault: String? = nil, needsNginx: Bool = false,
    play: @escaping @Sendable (FaultScene) async throws -> String
  ) {
    self.number = number
    self.name = name
    self.corelibsFault = corelibsFault
    self.needsNginx = needsNginx
    self.play = play
  }

  static let all: [FaultCase] = [statuses, redirects, bodies, contents, answers, connections, places].flatMap { $0 }

  /// Why it is not played; nil if it is.
  func obstacle(for backend: HTTPBackend) -> String? {
    if needsNginx, !NginxServer.isInstalled { return "nginx and openssl are not installed (nginx-light, openssl)" }
    return backend.hasOneErrorCode ? corelibsFault : nil
  }
}
