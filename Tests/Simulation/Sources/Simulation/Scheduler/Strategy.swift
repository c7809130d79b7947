import FutureImageTesting

/// The rule by which the scheduler chooses the next runner.
enum Strategy {
  /// At each point, the scheduler makes a choice with the given probability. Otherwise, the running runner continues. A choice takes each
  /// runner that can continue with the same probability.
  case random(preemption: Double)
  /// The scheduler chooses the runner with the highest priority. Priorities are random. A step is a point at which there is a choice. At
  /// the steps with the given numbers, which are also random, the running runner gets the lowest priority (Burckhardt et al., "A randomized
  /// scheduler with probabilistic guarantees of finding bugs", 2010).
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
