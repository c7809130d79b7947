/// Rounds of ours and of the reference by turns, so that whatever else the machine does meets both.
struct Comparison: Sendable {
  private(set) var ours: [Double] = []
  private(set) var reference: [Double] = []

  init(ours: [Double], reference: [Double]) {
    self.ours = ours
    self.reference = reference
  }

  typealias Measurement = @MainActor () async throws -> Double

  /// One round more than said: the first warms up and does not count. Which of the two comes first changes from round to round.
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

/// The same without a reference.
@MainActor func rounds(_ count: Int, _ measure: Comparison.Measurement) async throws -> [Double] {
  var values: [Double] = []
  for round in 0...Effort.rounds(count) {
    let value = try await measure()
    if round > 0 { values.append(value) }
  }
  return values
}

/// Rounds of a figure in processor time and of the yardstick by turns.
@MainActor func roundsWithYardstick(_ count: Int, _ measure: Comparison.Measurement) async throws -> Comparison {
  try await Comparison(rounds: count, ours: measure) { Yardstick.shared.measure() }
}
