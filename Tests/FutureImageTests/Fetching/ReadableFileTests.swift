#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

/// Files with faults that tests can cause only on Linux.
@Suite(.timeLimit(.minutes(5))) struct ReadableFileTests {
  /// A file that the system reports as a regular file. Its beginning cannot be read, because the process has no memory at the address 0.
  private static let memory = "/proc/self/mem"

  @Test(.enabled(if: access(memory, R_OK) == 0)) func `if a file can be opened but not read, the read fails as unreadable`() throws {
    let file = try ReadableFile(Self.memory)
    #expect(throws: FutureImage.Failure(reading: EIO)) { try file.read(16) }
  }

  @Test func `reading at the end of a file does not fail, even if the last error of the thread was an interruption`() throws {
    let folder = try TemporaryDirectory()
    try Data([1, 2]).write(to: folder.file("a"))
    let file = try ReadableFile(folder.file("a").path)
    #expect(file.size == 2)
    #expect(try file.read(10) == Data([1, 2]))
    errno = EINTR
    let rest = try file.read(10)
    #expect(rest.isEmpty)
  }

  @Test func `a socket is refused before it is opened, so that the failure names the kind of file`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("socket").path
    try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    let expected = FutureImage.Failure(.unreadable("it is a folder, a pipe or a device; name a regular file"))
    #expect(throws: expected) { try ReadableFile(path) }
    withExtendedLifetime(folder) {}
  }
}
#endif
