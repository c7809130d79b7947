#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import Testing

@testable import FutureImage

/// A limit on the size of files, as `ulimit -f` sets it. The processes that the tests start call `_exit`, because the limit would keep exit
/// handlers from writing their reports.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FileSizeLimitTests {
  /// Blocks or unblocks the signal that reports a file beyond the limit.
  static func maskSignal(_ how: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    pthread_sigmask(how, &signals, nil)
  }

  @Test func `writing a file beyond the size limit fails, and the program continues`() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("file").path
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      FileSizeLimitTests.maskSignal(SIG_UNBLOCK)
      var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
      try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)  // RLIMIT_FSIZE
      let files = POSIXFileSystem()
      let file = try files.openNew(path)
      let bytes = Data(count: 10_000)
      let failure = #expect(throws: FutureImage.FileFailure.self) {
        try bytes.withUnsafeBytes { _ = try files.writeSome(file, UnsafeRawBufferPointer(rebasing: $0[..<4_096])) }
        try bytes.withUnsafeBytes { _ = try files.writeSome(file, $0) }
      }
      var pending = sigset_t()
      sigpending(&pending)
      if failure?.code == EFBIG, sigismember(&pending, SIGXFSZ) == 0 { _exit(7) }
    }
  }

  @Test func `a file size signal that was pending before a failed write is still pending after the write`() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("file").path
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      var limit = rlimit(rlim_cur: 10, rlim_max: 10)
      try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      FileSizeLimitTests.maskSignal(SIG_BLOCK)
      raise(SIGXFSZ)
      let files = POSIXFileSystem()
      let file = try files.openNew(path)
      let bytes = Data(count: 20)
      _ = try bytes.withUnsafeBytes { try files.writeSome(file, $0) }
      #expect(throws: FutureImage.FileFailure.self) { try bytes.withUnsafeBytes { try files.writeSome(file, $0) } }
      var pending = sigset_t()
      sigpending(&pending)
      if sigismember(&pending, SIGXFSZ) == 1 { _exit(7) }
    }
  }
}
#endif
