import FutureImageTesting

/// The way in which the next runner is chosen.
enum Strategy {
  /// All runners have the same probability, and the running one is preempted with the given probability.
  case random(preemption: Double)
  /// The runner of the highest priority. Priorities are drawn at random, and at the given steps, also drawn at random, the running one gets
  /// the lowest (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
  case priorities(changes: Set<Int>)

  /// Creates a strategy that the seed determines.
  init(_ random: inout SeededGenerator, steps: Int) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: self = .random(preemption: 1)
    case 1: self = .random(preemption: 0.2)
    case 2: self = .random(preemption: 0.03)
    default:
      self = .priorities(changes: Set((0..<Int.random(in: 1...12, using: &random)).map { _ in Int.random(in: 0..<steps, using: &random) }))
    }
  }
}
