extension FutureImage.Loader {
  /// Sets the configuration of ``shared``. Call it once, at the start of the program's launch, before anything uses that loader.
  ///
  ///     var configuration = FutureImage.Loader.Configuration()
  ///     configuration.headers = ["User-Agent": "Shop/3.1"]
  ///     try FutureImage.Loader.configureShared(configuration)
  ///
  /// Any thread can call it.
  /// - Throws: `.refused` if the loader is already in use or was configured before. In these cases, nothing changes.
  public static func configureShared(_ configuration: Configuration) throws(FutureImage.Failure) {
    try SharedConfiguration.program.set(configuration)
  }
}

/// A configuration that can be set once, before it is used.
final class SharedConfiguration: Sendable {
  static let program = SharedConfiguration()

  private enum State {
    case unset
    case set(FutureImage.Loader.Configuration)
    case used
  }

  private let state = Lock(State.unset)

  func set(_ configuration: FutureImage.Loader.Configuration) throws(FutureImage.Failure) {
    let fault = state.withLock { state -> String? in
      switch state {
      case .unset:
        state = .set(configuration)
        return nil
      case .set: return "it is configured already; configure it in one place"
      case .used: return "it is already in use; configure it before a model is decoded or a future is made"
      }
    }
    if let fault { throw FutureImage.Failure(.refused(fault)).about(.sharedLoader) }
  }

  /// Returns the configuration that was set, or the default one, which has a ``TestRunFetcher`` if the program runs tests. After this call,
  /// the configuration cannot be changed.
  func take() -> FutureImage.Loader.Configuration {
    let former = state.withLock { state in
      defer { state = .used }
      return state
    }
    if case .set(let configuration) = former { return configuration }
    var configuration = FutureImage.Loader.Configuration()
    if TestRunFetcher.isTestRun() { configuration.fetcher = TestRunFetcher(fetcher: configuration.fetcher) }
    return configuration
  }
}
