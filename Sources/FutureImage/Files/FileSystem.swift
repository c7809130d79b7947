/// The system calls of the disk caches, each behind one method, so that a test can make any of them fail.
///
/// Every call except ``openAtOnce(_:)`` and ``readAtOnce(_:into:)`` may wait for the disk. No call follows a symbolic link in the last
/// component of its path.
protocol FileSystem: Sendable {
  /// Opens an existing item. Refuses a symbolic link, and opens a directory or a pipe without waiting.
  func openForReading(_ path: String) throws(FutureImage.FileFailure) -> OpenFile
  /// Creates a file that only its owner may read. Fails if the path exists.
  func openNew(_ path: String) throws(FutureImage.FileFailure) -> OpenFile
  func status(of file: OpenFile) throws(FutureImage.FileFailure) -> FileStatus
  /// Returns the status of the item itself, not of the target of a link.
  func status(at path: String) throws(FutureImage.FileFailure) -> FileStatus
  /// Returns the number of bytes read, which may be fewer than there is room for; 0 at the end.
  func readSome(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(FutureImage.FileFailure) -> Int
  /// Returns the number of bytes written, which may be fewer than were given.
  func writeSome(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer) throws(FutureImage.FileFailure) -> Int
  /// Closes the descriptor, even if the call fails. Network disks report failed writes here.
  func closeFile(_ file: OpenFile) throws(FutureImage.FileFailure)
  func setModified(_ path: String, _ date: Date) throws(FutureImage.FileFailure)
  /// Moves a file in one step, replacing an existing file.
  func move(_ path: String, to target: String) throws(FutureImage.FileFailure)
  func delete(_ path: String) throws(FutureImage.FileFailure)
  /// Creates one directory, which only its owner may enter. Fails if the path exists.
  func makeDirectory(_ path: String) throws(FutureImage.FileFailure)
  /// Returns the names without "." and "..", in no order.
  func names(in directory: String) throws(FutureImage.FileFailure) -> [String]

  /// Whether the disk answers reads at once. Call it with a file that was read to its end. Only after that may files of the same disk be
  /// opened at once: if a network or another program is the disk, even opening a file that is in memory waits for it.
  func answersAtOnce(_ file: OpenFile) -> Bool
  /// Opens a file as ``openForReading(_:)`` does, without waiting for the disk; nil if that is impossible, or fails.
  func openAtOnce(_ path: String) -> OpenFile?
  /// Whether ``isKnownMissing(_:)`` can return true, so that it is worth a path.
  var knowsMissing: Bool { get }
  /// Whether the path is known not to exist, without asking any disk; otherwise false.
  func isKnownMissing(_ path: String) -> Bool
  /// Reads as ``readSome(_:into:)`` does, without waiting for the disk; nil if that is impossible, or fails.
  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int?
}

/// The defaults of a file system that cannot tell which calls wait.
extension FileSystem {
  func answersAtOnce(_ file: OpenFile) -> Bool { false }
  func openAtOnce(_ path: String) -> OpenFile? { nil }
  var knowsMissing: Bool { false }
  func isKnownMissing(_ path: String) -> Bool { false }
  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }
}

/// A descriptor, and the path that it was opened by, for error messages.
struct OpenFile: Sendable {
  let descriptor: Int32
  let path: String
}

/// The properties of a file that the caches need.
struct FileStatus: Sendable, Hashable {
  enum Kind: Sendable {
    case file, directory, symbolicLink, other
  }

  var kind: Kind
  var bytes: Int
  var modified: Date
  /// The number of the file on its disk. Another file at the same path has another number.
  var identity: UInt64

  func requireFile(_ path: String) throws(FutureImage.FileFailure) {
    switch kind {
    case .file: return
    case .directory: throw FutureImage.FileFailure(.notAFile("a directory"), path: path)
    case .symbolicLink: throw FutureImage.FileFailure(.notAFile("a symbolic link"), path: path)
    case .other: throw FutureImage.FileFailure(.notAFile("a pipe or a device"), path: path)
    }
  }
}
