/// One attempt to fetch an entry for a cache of values other than images. Uses a loader's fetcher, limits, timeouts, retry policy, and
/// networks.
package struct EntryAttempt: Sendable {
  package let outcome: Result<FutureImage.CacheEntry, FutureImage.Failure>
  /// Whether the entry may be stored on disk.
  package private(set) var mayStore = true
  /// The time to wait before another attempt; nil if no attempt follows.
  package private(set) var retryDelay: Duration?
  private let history: Transfer.AttemptHistory

  /// Makes the attempt.
  /// - Parameter previous: the attempt that this one repeats; nil for the first attempt.
  package init(of source: FutureImage.Source, by loader: FutureImage.Loader, after previous: EntryAttempt?) async {
    var history = previous?.history ?? Transfer.AttemptHistory()
    let configuration = loader.configuration
    let transfer = Transfer(source: source, configuration: configuration, network: loader.network) { _ in }
    do throws(FutureImage.Failure) {
      guard case .fetched(let entry, let mayStore) = try await transfer.run(&history) else {
        throw FutureImage.Failure(.malformed("it confirms a value that is not known"), key: source.key)
      }
      outcome = .success(entry)
      self.mayStore = mayStore
    } catch {
      outcome = .failure(error)
      retryDelay = configuration.retry.delay(afterAttempt: history.failures, error, chance: configuration.chance())
    }
    self.history = history
  }
}
