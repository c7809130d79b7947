import Foundation

/// One row of the table of faults.
struct FaultCase: Sendable {
  let number: Int
  let name: String
  /// The time after which the case counts as hanging. Every case should be much faster. Under a sanitizer, other tests may occupy all
  /// processors for tens of seconds.
  var deadline = Duration.seconds(isSanitized ? 150 : 30)
  /// The reason that URLSession of swift-corelibs-foundation cannot pass the case.
  var corelibsFault: String?
  /// The reason that the case cannot run on this machine; nil if it can.
  var missing: String?
  /// Runs the case, and returns its outcome.
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

  /// Returns the reason that the case is not run with the given fetcher; nil if it is run.
  func obstacle(for backend: HTTPBackend) -> String? {
    missing ?? (backend.hasOneErrorCode ? corelibsFault : nil)
  }
}
