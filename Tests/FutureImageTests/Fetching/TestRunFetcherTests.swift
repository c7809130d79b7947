import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The warning about tests that use the network.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TestRunFetcherTests {
  @Test func `a test run that loads images over the network gets the images and one warning without credentials`() async throws {
    let printed = Lock<[String]>([])
    let held = HeldFetcher()
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.fetcher = TestRunFetcher(fetcher: held, warnings: DeveloperWarnings { text in printed.withLock { $0.append(text) } })
    let loader = FutureImage.Loader(configuration)
    for name in ["a", "b"] {
      let url = try #require(URL(string: "https://ann:secret@shop.test/\(name).jpg?token=0123456789abcdef0123"))
      let future = FutureImage(.url(url), loader: loader)
      await held.waitForHeld()
      held.resolve(with: SampleImage.jpeg())
      _ = try await future.value
    }
    let texts = printed.withLock { $0 }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("https://shop.test/a.jpg") == true)
    #expect(texts.first?.contains("secret") == false)
    #expect(texts.first?.contains("0123456789abcdef") == false)
  }

  @Test func `the shared loader warns a test run, unless the app has configured the loader`() throws {
    #expect(SharedConfiguration().take().fetcher is TestRunFetcher)
    let shared = SharedConfiguration()
    try shared.set(FutureImage.Loader.Configuration())
    #expect(!(shared.take().fetcher is TestRunFetcher))
  }

  @Test(
    arguments: [
      (["/app/ShopTests.xctest"], [:], true), (["/usr/bin/xctest"], [:], true), (["/usr/libexec/swiftpm-testing-helper"], [:], true),
      (["/app/Shop"], ["XCTestConfigurationFilePath": "/tmp/a"], true),
      (["/app/Shop"], ["XCTestBundlePath": "/tmp/b"], true),
      (["/app/Shop", "x.xctest"], [:], false), ([], [:], false)
    ] as [([String], [String: String], Bool)])
  func `a test run is recognized by its program or its environment`(arguments: [String], environment: [String: String], isTestRun: Bool) {
    #expect(TestRunFetcher.isTestRun(arguments: arguments, environment: environment) == isTestRun)
  }
}
