/// Alternating rounds of the library and of the reference, so that other work on the machine affects both.
struct Comparison: Sendable {
  private(set) var ours: [Double] = []
  private(set) var reference: [Double] = []

  init(ours: [Double], reference: [Double]) {
    self.ours = ours
    self.reference = reference
  }

  typealias Measurement = @MainActor () async throws -> Double

  /// Measures in the given number of rounds, after one round that only warms up and does not count. The order of the library and the
  /// reference alternates.
  @MainActor init(rounds: Int, ours measureOurs: Measurement, reference measureReference: Measurement) async throws {
    for round in 0...Effort.rounds(rounds) {
      var pair = (0.0, 0.0)
      if round % 2 == 0 { pair.0 = try await measureOurs() }
      pair.1 = try await measureReference()
      if round % 2 == 1 { pair.0 = try await measureOurs() }
      guard round > 0 else { continue }
      ours.append(pair.0)
      reference.append(pair.1)
    }
  }
}

/// Measures a figure without a reference, in the given number of rounds, after one round that only warms up.
@MainActor func rounds(_ count: Int, _ measure: Comparison.Measurement) async throws -> [Double] {
  var values: [Double] = []
  for round in 0...Effort.rounds(count) {
    let value = try await measure()
    if round > 0 { values.append(value) }
  }
  return values
}

/// Measures a figure and the yardstick in alternating rounds. `measure` must return processor time, because the yardstick does.
@MainActor func roundsWithYardstick(_ count: Int, _ measure: Comparison.Measurement) async throws -> Comparison {
  try await Comparison(rounds: count, ours: measure) { Yardstick.shared.measure() }
}
