import FutureImageTesting
import Testing

@testable import FutureImage

/// The configuration of the shared loader.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SharedConfigurationTests {
  private let shared = SharedConfiguration()

  private func configuration(maxTransfers: Int) -> FutureImage.Loader.Configuration {
    var configuration = FutureImage.Loader.Configuration.held(by: HeldFetcher())
    configuration.maxTransfers = maxTransfers
    return configuration
  }

  @Test func `a configuration that is set before the first use of the shared loader is used`() throws {
    try shared.set(configuration(maxTransfers: 3))
    #expect(shared.take().maxTransfers == 3)
  }

  @Test func `the default configuration is used if none is set`() {
    #expect(shared.take().maxTransfers == FutureImage.Loader.Configuration().maxTransfers)
  }

  @Test func `a second configuration of the shared loader is refused, and the first configuration is used`() throws {
    try shared.set(configuration(maxTransfers: 3))
    #expect(throws: FutureImage.Failure.self) { try shared.set(configuration(maxTransfers: 4)) }
    #expect(shared.take().maxTransfers == 3)
  }

  @Test func `a configuration after the loader's first use is refused, and the error says when to configure the loader`() {
    _ = shared.take()
    #expect {
      try shared.set(configuration(maxTransfers: 3))
    } throws: {
      ($0 as? FutureImage.Failure)?.reason
        == .refused("it is already in use; configure it before a model is decoded or a future is made")
    }
  }

  @Test func `the shared loader cannot be configured after it has been created`() {
    withExtendedLifetime(FutureImage.Loader.shared) {}
    #expect(throws: FutureImage.Failure.self) {
      try FutureImage.Loader.configureShared(FutureImage.Loader.Configuration.held(by: HeldFetcher()))
    }
  }
}
