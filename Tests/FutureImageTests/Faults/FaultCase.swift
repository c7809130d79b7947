import Foundation

/// One row of the table.
struct FaultCase: Sendable {
  let number: Int
  let name: String
  /// Only a guard: nothing here should come near it.
  var deadline = Duration.seconds(30)
  /// Why the URLSession of swift-corelibs-foundation cannot meet it.
  var corelibsFault: String?
  /// Why it is not met on this machine; nil where it is.
  var missing: String?
  /// Plays it, and says what came of it.
  let play: @Sendable (FaultScene) async throws -> String

  init(
    _ number: Int, _ name: String, corelibsFault: String? = nil, missing: String? = nil,
    play: @escaping @Sendable (FaultScene) async throws -> String
  ) {
    self.number = number
    self.name = name
    self.corelibsFault = corelibsFault
    self.missing = missing
    self.play = play
  }

  static let all: [FaultCase] = [
    statuses, redirects, bodies, contents, answers, connections, places, oddities, secure, kept, freshness, codings
  ].flatMap { $0 }.sorted { $0.number < $1.number }

  /// Why it is not played; nil if it is.
  func obstacle(for backend: HTTPBackend) -> String? {
    missing ?? (backend.hasOneErrorCode ? corelibsFault : nil)
  }
}
