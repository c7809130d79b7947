import FutureImageTesting

/// Who goes on.
enum Strategy {
  /// Any with the same probability, where the running one is left with this one.
  case random(preemption: Double)
  /// The one of the highest priority; priorities are drawn, and at so many steps drawn at random that of the running one becomes the lowest
  /// (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
  case priorities(changes: Set<Int>)

  /// A strategy that the seed draws.
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
