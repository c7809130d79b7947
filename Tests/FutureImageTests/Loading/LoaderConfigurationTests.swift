#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LoaderConfigurationTests {
  private static let isCopy = ProcessInfo.processInfo.environment["FUTUREIMAGE_TESTS_COPY"] != nil

  @Test(.disabled(if: isCopy)) func `a program whose folder was deleted can create the default configuration`() throws {
    let folder = try TemporaryDirectory()
    let program = folder.file("program")
    // `cp` copies this program. If this process wrote the copy, a child process of a concurrent test could inherit the open file, and the
    // system would refuse to run the copy.
    try Program.run("/bin/cp", [FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), program.path])
    let process = Process()
    process.executableURL = program
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "the copy creates the default configuration after it has deleted its folder"
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(["FUTUREIMAGE_TESTS_COPY": folder.url.path]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }

  @Test(.enabled(if: isCopy, "the test above runs this test in a copy of the program"))
  func `the copy creates the default configuration after it has deleted its folder`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["FUTUREIMAGE_TESTS_COPY"])
    try FileManager.default.removeItem(atPath: folder)
    #expect(FutureImage.Loader.Configuration().diskCache?.directory.lastPathComponent == "FutureImage")
    #expect(CachesDirectory.ofProgram().lastPathComponent == "program")
  }

  @Test func `a program whose working directory was deleted can create the default configuration`() async throws {
    let path = try TemporaryDirectory().url.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      try #require(mkdir(path, 0o700) == 0 && chdir(path) == 0 && rmdir(path) == 0)
      #expect(FutureImage.Loader.Configuration().diskCache != nil)
    }
  }

  @Test func `a program can configure its shared loader only once, and only before the first use of the loader`() async throws {
    await #expect(processExitsWith: .success) {
      var configuration = FutureImage.Loader.Configuration.held(by: HeldFetcher())
      configuration.headers = ["User-Agent": "Shop/3.1"]
      try FutureImage.Loader.configureShared(configuration)
      configuration.headers = ["User-Agent": "Shop/3.2"]
      let second = #expect(throws: FutureImage.Failure.self) { try FutureImage.Loader.configureShared(configuration) }
      #expect(second?.description == "The shared loader was not configured: it is configured already; configure it in one place.")
      #expect(FutureImage.Loader.shared.configuration.headers == ["User-Agent": "Shop/3.1"])
      let late = #expect(throws: FutureImage.Failure.self) { try FutureImage.Loader.configureShared(configuration) }
      let expected =
        "The shared loader was not configured: it is already in use; configure it before a model is decoded or a future is made."
      #expect(late?.description == expected)
      #expect(FutureImage.Loader.shared.configuration.headers == ["User-Agent": "Shop/3.1"])
    }
  }
}
#endif
