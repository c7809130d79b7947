/// The fetcher of the shared loader in a program that runs tests. It passes every request to another fetcher. At its first request, it
/// warns that a test uses the network, because the network makes tests slow and dependent on servers.
struct TestRunFetcher: FutureImage.Fetcher {
  let fetcher: any FutureImage.Fetcher
  var warnings = DeveloperWarnings.shared

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    warnings.report(Self.warning(about: request.url), once: "network in a test run")
    try await fetcher.fetch(request, receive: receive)
  }

  private static func warning(about url: URL) -> String {
    "FutureImage: a test uses the network: the shared loader fetches \(CanonicalURL(url).redacted). Pass the code under test a loader "
      + "whose responses the test controls, or call Loader.configureShared first. See the page “Testing your app”."
  }

  /// Whether the program runs the tests of an Xcode project or of a Swift package.
  static func isTestRun(
    arguments: [String] = CommandLine.arguments, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    if environment["XCTestConfigurationFilePath"] != nil || environment["XCTestBundlePath"] != nil { return true }
    guard let program = arguments.first else { return false }
    return program.hasSuffix(".xctest") || program.hasSuffix("/xctest") || program.hasSuffix("/swiftpm-testing-helper")
  }
}
