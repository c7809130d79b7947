#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageCache

/// Mistakes of a program that end it, because going on would use other files than it means.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PreconditionTests {
  @Test func `a format without a name traps`() async {
    await #expect(processExitsWith: .failure) { _ = Cache<String>.Variant("") { $0 } }
  }

  @Test func `a disk cache traps if its directory is not a file URL`() async {
    await #expect(processExitsWith: .failure) { _ = FutureImage.DiskCache(directory: LoaderFixture.url()) }
  }

  @Test func `a disk cache traps if its directory contains a zero byte`() async {
    await #expect(processExitsWith: .failure) {
      // Not a failure of this test's own, which would end the process, too.
      guard let url = URL(string: "file:///tmp/a%00b"), url.isFileURL else { return }
      _ = FutureImage.DiskCache(directory: url)
    }
  }
}
#endif
