#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageCache

/// Mistakes in a program that end its process, because the process would otherwise use wrong files.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PreconditionTests {
  @Test func `creating a variant with an empty name traps`() async {
    await #expect(processExitsWith: .failure) { _ = Cache<String>.Variant("") { $0 } }
  }

  @Test func `a disk cache traps if its directory is not a file URL`() async {
    await #expect(processExitsWith: .failure) { _ = FutureImage.DiskCache(directory: LoaderFixture.url()) }
  }

  @Test func `a disk cache traps if its directory contains a zero byte`() async {
    await #expect(processExitsWith: .failure) {
      // The guard returns, because a trap here would end the process as the test expects, although nothing has been tested.
      guard let url = URL(string: "file:///tmp/a%00b"), url.isFileURL else { return }
      _ = FutureImage.DiskCache(directory: url)
    }
  }
}
#endif
