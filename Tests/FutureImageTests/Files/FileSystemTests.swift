import Foundation
import Testing

@testable import FutureImage

/// The system calls, and the functions that are composed of them.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FileSystemTests {
  private let files = POSIXFileSystem()
  private let faulty = FaultyFileSystem()
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func path(_ name: String) -> String { folder.file(name).path }

  // MARK: System calls

  @Test func `each call fails if its descriptor is not open`() {
    let closed = OpenFile(descriptor: -1, path: "closed")
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    let calls: [() throws -> Void] = [
      { _ = try files.status(of: closed) }, { _ = try files.readSome(closed, into: buffer) },
      { _ = try files.writeSome(closed, UnsafeRawBufferPointer(buffer)) }, { try files.closeFile(closed) }
    ]
    for call in calls {
      let failure = #expect(throws: FutureImage.FileFailure.self) { try call() }
      #expect(failure?.code == EBADF)
    }
  }

  @Test func `each call fails if its path does not exist`() {
    let none = path("none")
    let calls: [() throws -> Void] = [
      { _ = try files.openForReading(none) }, { _ = try files.status(at: none) }, { try files.setModified(none, Date()) },
      { try files.move(none, to: path("target")) }, { try files.delete(none) }, { try files.makeDirectory(path("none/below")) },
      { _ = try files.names(in: none) }
    ]
    for call in calls {
      let failure = #expect(throws: FutureImage.FileFailure.self) { try call() }
      #expect(failure?.code == ENOENT)
    }
  }

  @Test func `a modification time is set with a precision of at least one second`() throws {
    try Data([1]).write(to: folder.file("f"))
    let date = Date(timeIntervalSince1970: 1_000_000.25)
    try files.setModified(path("f"), date)
    let modified = try files.status(at: path("f")).modified
    // Some disks store only whole seconds, so the fraction may be lost.
    #expect(abs(modified.timeIntervalSince(date)) < 0.3)
  }

  @Test func `a write of no bytes and a read at the end of a file transfer nothing`() throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    defer { buffer.deallocate() }
    let new = try files.openNew(path("f"))
    #expect(try files.writeSome(new, UnsafeRawBufferPointer(start: buffer.baseAddress, count: 0)) == 0)
    try files.closeFile(new)
    let file = try files.openForReading(path("f"))
    #expect(try files.readSome(file, into: buffer) == 0)
    try files.closeFile(file)
  }

  @Test func `if a file system does not implement the calls that must not wait, each of these calls returns no result`() throws {
    try Data([1]).write(to: folder.file("f"))
    let plain = PlainFileSystem()
    let file = try plain.openForReading(path("f"))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    defer { buffer.deallocate() }
    #expect(!plain.answersAtOnce(file))
    #expect(plain.readAtOnce(file, into: buffer) == nil)
    #expect(plain.openAtOnce(path("f")) == nil)
    #expect(!plain.knowsMissing)
    #expect(!plain.isKnownMissing(path("none")))
    try plain.closeFile(file)
  }

  // MARK: Whole files and folders

  // The file has 100 bytes. To read 200 bytes, a second call must find the end of the file.
  @Test(arguments: [(0, 0), (60, 1), (100, 1), (200, 2)])
  func `a read ends at the given number of bytes or at the end of the file, and makes as few calls as possible`(count: Int, calls: Int)
    throws
  {
    let bytes = Data((0..<100).map { UInt8($0) })
    try bytes.write(to: folder.file("f"))
    let file = try faulty.openForReading(path("f"))
    let read = try faulty.readWhole(file, count: count)
    try faulty.closeFile(file)
    #expect(read.data(0..<read.count) == bytes.prefix(count))
    #expect(faulty.calls.count { $0 == .read } == calls)
    let again = try #require(faulty.openAtOnce(path("f")))
    let readAtOnce = try #require(faulty.readWholeAtOnce(again, count: count))
    try faulty.closeFile(again)
    #expect(readAtOnce.data(0..<readAtOnce.count) == bytes.prefix(count))
    #expect(faulty.calls.count { $0 == .readAtOnce } == calls)
  }

  @Test(arguments: [FaultyFileSystem.Call.write, .close])
  func `a new file that cannot be written is closed and deleted`(call: FaultyFileSystem.Call) {
    faulty.fail(call, with: ENOSPC)
    let failure = #expect(throws: FutureImage.FileFailure.self) { try faulty.writeNew(path("f"), [Data([1])]) }
    #expect(failure?.code == ENOSPC)
    #expect(faulty.calls == [.openNew, .write, .close, .delete])
    #expect(folder.files().isEmpty)
  }

  @Test func `makeDirectories makes missing parents too, returns true only if it made a folder, and fails for an empty path`() throws {
    #expect(try files.makeDirectories(path("a/b/c")))
    #expect(try !files.makeDirectories(path("a/b/c")))
    #expect(try files.makeDirectories(path("a/d")))
    #expect(throws: FutureImage.FileFailure.self) { try files.makeDirectories("") }
  }

  @Test func `makeDirectories returns false if another process makes the folder right after its parent is made`() throws {
    let child = folder.url.appendingPathComponent("a/b")
    // The first call finds no parent, the second makes it, and the third finds the folder.
    faulty.before(.makeDirectory) { [faulty] in
      faulty.before(.makeDirectory) {
        faulty.before(.makeDirectory) { try? FileManager.default.createDirectory(at: child, withIntermediateDirectories: true) }
      }
    }
    #expect(try !faulty.makeDirectories(path("a/b")))
    #expect(faulty.calls == [.makeDirectory, .makeDirectory, .makeDirectory])
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `a program without standard input gets the descriptor 0 for a file`() async {
    let name = path("f")
    #expect(throws: Never.self) { try Data([1]).write(to: folder.url.appendingPathComponent("f")) }
    for open in ["new", "at once"] {
      var status = ExitStatus.exitCode(8)
      // Another thread of the process may open something first. Then the next process repeats the test.
      for attempt in 0..<20 where status == .exitCode(8) {
        let result = await #expect(processExitsWith: .failure) { [name = name as String, open = open as String, attempt = attempt as Int] in
          let files = POSIXFileSystem()
          close(0)
          if open == "new" { _exit(try files.openNew("\(name)\(attempt)").descriptor == 0 ? 7 : 8) }
          // The system may report at any time that the call would have to wait.
          for _ in 0..<100 { if let file = files.openAtOnce(name) { _exit(file.descriptor == 0 ? 7 : 8) } }
          _exit(8)
        }
        if let result { status = result.exitStatus }
      }
      #expect(status == .exitCode(7), "\(open)")
    }
  }
  #endif
}

private struct PlainFileSystem: FileSystem {
  private let real = POSIXFileSystem()

  func openForReading(_ path: String) throws(FutureImage.FileFailure) -> OpenFile { try real.openForReading(path) }
  func openNew(_ path: String) throws(FutureImage.FileFailure) -> OpenFile { try real.openNew(path) }
  func status(of file: OpenFile) throws(FutureImage.FileFailure) -> FileStatus { try real.status(of: file) }
  func status(at path: String) throws(FutureImage.FileFailure) -> FileStatus { try real.status(at: path) }
  func readSome(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(FutureImage.FileFailure) -> Int {
    try real.readSome(file, into: buffer)
  }
  func writeSome(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer) throws(FutureImage.FileFailure) -> Int {
    try real.writeSome(file, bytes)
  }
  func closeFile(_ file: OpenFile) throws(FutureImage.FileFailure) { try real.closeFile(file) }
  func setModified(_ path: String, _ date: Date) throws(FutureImage.FileFailure) { try real.setModified(path, date) }
  func move(_ path: String, to target: String) throws(FutureImage.FileFailure) { try real.move(path, to: target) }
  func delete(_ path: String) throws(FutureImage.FileFailure) { try real.delete(path) }
  func makeDirectory(_ path: String) throws(FutureImage.FileFailure) { try real.makeDirectory(path) }
  func names(in directory: String) throws(FutureImage.FileFailure) -> [String] { try real.names(in: directory) }
}
