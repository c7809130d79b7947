#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import Glibc
import Testing

@testable import FutureImage

/// Tests of the system calls that do not wait, if the file system of temporary files supports them.
@Suite(.enabled(if: temporaryFilesAnswerAtOnce()), .timeLimit(.minutes(5))) struct POSIXFileSystemTests {
  private let files = POSIXFileSystem()
  private let folder: TemporaryDirectory
  private let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("file").path
    try bytes.write(to: folder.file("file"))
  }

  /// Opens the file, with retries. When another test mounts or renames something at the same moment, the system reports that it
  /// would have to wait.
  private func openAtOnce(_ path: String) throws -> OpenFile {
    try #require((0..<100).lazy.compactMap { _ in files.openAtOnce(path) }.first)
  }

  @Test func `a file in memory can be read in two parts without waiting`() throws {
    let file = try openAtOnce(path)
    defer { try? files.closeFile(file) }
    let first = try #require(files.readWholeAtOnce(file, count: 1000))
    let rest = try #require(files.readWholeAtOnce(file, count: bytes.count))
    #expect(first.data(0..<first.count) + rest.data(0..<rest.count) == bytes)
    #expect(rest.count == bytes.count - 1000)
    #expect(files.answersAtOnce(file))
  }

  /// Advises the system to remove the file from memory, and returns whether a read would then have to wait. The system may ignore the
  /// advice, for example while another processor still uses the pages.
  private func readRequiresWait() throws -> Bool {
    let file = try openAtOnce(path)
    defer { try? files.closeFile(file) }
    // Only pages that are written to the disk can be removed.
    try #require(fsync(file.descriptor) == 0)
    try #require(posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0)
    return files.readWholeAtOnce(file, count: bytes.count) == nil
  }

  @Test func `a file that is not in memory is read only by a call that may wait`() throws {
    #expect(try (0..<1000).contains { _ in try readRequiresWait() })
    let file = try openAtOnce(path)
    defer { try? files.closeFile(file) }
    #expect(try files.readWhole(file, count: bytes.count).count == bytes.count)
  }

  @Test func `a call that must not wait opens no file at a missing path or a symbolic link`() throws {
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("file"))
    for path in [folder.file("none").path, folder.file("file/below").path, link.path] {
      for _ in 0..<2 { #expect(files.openAtOnce(path) == nil, "\(path)") }
    }
  }

  /// Whether the path is known to be missing. The system may forget that at any time, so each attempt looks the path up again.
  private func isKnownMissing(_ path: String) -> Bool {
    (0..<100).contains { _ in
      if let file = try? files.openIfPresent(path) { try? files.closeFile(file) }
      return files.isKnownMissing(path)
    }
  }

  @Test func `if a lookup did not find a path, the path is known to be missing, and so is any path in a missing folder`() throws {
    let folder = folder.file("folder")
    #expect(isKnownMissing(folder.path))
    #expect((0..<100).contains { _ in files.isKnownMissing(folder.appendingPathComponent("never looked for").path) })
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let file = folder.appendingPathComponent("file")
    #expect(isKnownMissing(file.path))
    try bytes.write(to: file)
    #expect(!isKnownMissing(file.path))
    try FileManager.default.removeItem(at: file)
    #expect(isKnownMissing(file.path))
  }

  @Test func `a path that exists or was never looked up is not known to be missing`() throws {
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("none"))
    for path in [path, folder.url.path, link.path] { #expect(!isKnownMissing(path), "\(path)") }
    #expect(!files.isKnownMissing(folder.file("new").path))
  }

  @Test func `a call that must not wait follows a symbolic link among the parent folders`() throws {
    let link = folder.file("folder")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    let path = link.appendingPathComponent("file").path
    // When the system follows a link for the first time, it writes the link's access time, and a call would have to wait for that. The
    // system writes the time again at each later call, until the coarse clock of the disk distinguishes it from the link's creation.
    for _ in 0..<100_000 {
      try files.closeFile(files.openForReading(path))
      if let file = files.openAtOnce(path) { return try files.closeFile(file) }
    }
    Issue.record("the file is not opened without waiting")
  }

  @Test func `a pipe is opened without waiting and is not a regular file`() throws {
    let pipe = folder.file("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let file = try openAtOnce(pipe)
    #expect(try files.status(of: file).kind == .other)
    try files.closeFile(file)
  }

  @Test func `child processes do not inherit an open file`() throws {
    let file = try openAtOnce(path)
    #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    try files.closeFile(file)
  }
}

private func temporaryFilesAnswerAtOnce() -> Bool {
  let files = POSIXFileSystem()
  guard let folder = try? TemporaryDirectory() else { return false }
  let path = folder.file("file").path
  guard (try? files.writeNew(path, [Data([1])])) != nil, let file = files.openAtOnce(path) else { return false }
  defer { try? files.closeFile(file) }
  return files.readWholeAtOnce(file, count: 1)?.count == 1
}
#endif
