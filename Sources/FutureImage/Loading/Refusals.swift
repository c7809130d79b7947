/// Permanent failures by key, each of which answers for its source for a while.
///
/// Those whose time is over are thrown out whenever they may be the greater part.
struct Refusals {
  private struct Refusal {
    let failure: FutureImage.Failure
    let age: Stopwatch
  }

  private let memory: Duration
  private let clock: any Clock<Duration>
  private var refusals: [SourceKey: Refusal] = [:]
  private var sweepAt = 256

  /// - Parameter memory: how long a failure answers.
  init(memory: Duration, clock: any Clock<Duration>) {
    self.memory = memory
    self.clock = clock
  }

  var count: Int { refusals.count }

  /// Why the source is not to be asked now.
  func failure(of key: SourceKey) -> FutureImage.Failure? {
    refusals[key].flatMap { $0.age.elapsed < memory ? $0.failure : nil }
  }

  mutating func insert(_ failure: FutureImage.Failure, of key: SourceKey) {
    refusals[key] = Refusal(failure: failure, age: Stopwatch(clock))
    guard refusals.count > sweepAt else { return }
    refusals = refusals.filter { $0.value.age.elapsed < memory }
    sweepAt = max(256, 2 * refusals.count)
  }

  mutating func remove(_ key: SourceKey) { refusals[key] = nil }
}
