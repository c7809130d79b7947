#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import Glibc
import Testing

@testable import FutureImage

/// The machine's own calls that do not wait, where the disk of temporary files knows them.
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

  /// Whoever mounts or renames something at the same moment, as other tests do, makes the system say that it would have to wait.
  private func openAtOnce(_ path: String) throws -> OpenFile {
    try #require((0..<100).lazy.compactMap { _ in files.openAtOnce(path) }.first)
  }

  @Test func `a file in memory is read, in parts too, up to its end`() throws {
    let file = try openAtOnce(path)
    defer { try? files.closeFile(file) }
    let first = try #require(files.readWholeAtOnce(file, count: 1000))
    let rest = try #require(files.readWholeAtOnce(file, count: bytes.count))
    #expect(first.data(0..<first.count) + rest.data(0..<rest.count) == bytes)
    #expect(rest.count == bytes.count - 1000)
    #expect(files.answersAtOnce(file))
  }

  /// The system need not follow the advice, as while another processor still has the pages in its hands.
  private func isLeftToBeWaitedFor() throws -> Bool {
    let file = try openAtOnce(path)
    defer { try? files.closeFile(file) }
    // Only what is written to the disk can be let go of.
    try #require(fsync(file.descriptor) == 0)
    try #require(posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0)
    return files.readWholeAtOnce(file, count: bytes.count) == nil
  }

  @Test func `a file that is not in memory is left to be waited for`() throws {
    #expect(try (0..<1000).contains { _ in try isLeftToBeWaitedFor() })
    let file = try openAtOnce(path)
    defer { try? files.closeFile(file) }
    #expect(try files.readWhole(file, count: bytes.count).count == bytes.count)
  }

  @Test func `nothing is opened where nothing is, or a link`() throws {
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("file"))
    for path in [folder.file("none").path, folder.file("file/below").path, link.path] {
      for _ in 0..<2 { #expect(files.openAtOnce(path) == nil, "\(path)") }
    }
  }

  /// What is in memory may be let go of at any time: then it has to be looked for again.
  private func isKnownMissing(_ path: String) -> Bool {
    (0..<100).contains { _ in
      if let file = try? files.openIfPresent(path) { try? files.closeFile(file) }
      return files.isKnownMissing(path)
    }
  }

  @Test func `what was looked for in vain is known to be missing, and what is in a missing folder`() throws {
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

  @Test func `what was never looked for is not known to be missing, nor is what is there`() throws {
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("none"))
    for path in [path, folder.url.path, link.path] { #expect(!isKnownMissing(path), "\(path)") }
    #expect(!files.isKnownMissing(folder.file("new").path))
  }

  @Test func `a link among the folders above is followed`() throws {
    let link = folder.file("folder")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    let path = link.appendingPathComponent("file").path
    // A link that was not followed since it was made, as far as the disk's clock can tell, is to be written to when it is.
    for _ in 0..<100_000 {
      try files.closeFile(files.openForReading(path))
      if let file = files.openAtOnce(path) { return try files.closeFile(file) }
    }
    Issue.record("it is not opened at once")
  }

  @Test func `a pipe is not waited for, and is no file`() throws {
    let pipe = folder.file("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let file = try openAtOnce(pipe)
    #expect(try files.status(of: file).kind == .other)
    try files.closeFile(file)
  }

  @Test func `programs that are started do not have the file`() throws {
    let file = try openAtOnce(path)
    #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    try files.closeFile(file)
  }
}

private func temporaryFilesAnswerAtOnce() -> Bool {
  let files = POSIXFileSystem()
  guard let folder = try? TemporaryDirectory(), let new = try? files.openNew(folder.file("file").path) else { return false }
  try? files.closeFile(new)
  guard let file = files.openAtOnce(folder.file("file").path) else { return false }
  defer { try? files.closeFile(file) }
  return files.answersAtOnce(file)
}
#endif
