/// A fetcher of a program that runs tests. It says once that a test has used the network through the shared loader, which makes tests slow
/// and dependent on servers, and then fetches.
struct TestRunFetcher: FutureImage.Fetcher {
  let fetcher: any FutureImage.Fetcher
  var warnings = DeveloperWarnings.shared

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    warnings.report(Self.warning(about: request.url), once: "network in a test run")
    try await fetcher.fetch(request, receive: receive)
  }

  private static func warning(about url: URL) -> String {
    "FutureImage: a test uses the network: the shared loader fetches \(CanonicalURL(url).redacted). Give the code under test a loader whose "
      + "answers the test decides, or call Loader.configureShared first. See the page “Testing your app”."
  }

  /// Whether the program runs tests: of Xcode, or of Swift packages.
  static func isTestRun(
    arguments: [String] = CommandLine.arguments, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    if environment["XCTestConfigurationFilePath"] != nil || environment["XCTestBundlePath"] != nil { return true }
    guard let program = arguments.first else { return false }
    return program.hasSuffix(".xctest") || program.hasSuffix("/xctest") || program.hasSuffix("/swiftpm-testing-helper")
  }
}
