/// The system calls of the disk caches, each behind one method, so that a test can make any of them fail.
///
/// Every call may wait for the disk, except ``openAtOnce(_:)``, ``readAtOnce(_:into:)``, and ``isKnownMissing(_:)``. No call follows a
/// symbolic link in the last component of its path.
protocol FileSystem: Sendable {
  /// Opens an existing item. The item may be a directory or a pipe. Throws for a symbolic link. Does not wait for the other end of a pipe.
  func openForReading(_ path: String) throws(FutureImage.FileFailure) -> OpenFile
  /// Creates a file that only its owner may read. Fails if the path exists.
  func openNew(_ path: String) throws(FutureImage.FileFailure) -> OpenFile
  func status(of file: OpenFile) throws(FutureImage.FileFailure) -> FileStatus
  /// Returns the status of the item itself, not of the target of a link.
  func status(at path: String) throws(FutureImage.FileFailure) -> FileStatus
  /// Reads into the buffer. Returns the number of bytes read, which may be less than the size of the buffer; 0 at the end of the file.
  func readSome(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(FutureImage.FileFailure) -> Int
  /// Writes the bytes. Returns the number of bytes written, which may be less than the number of `bytes`.
  func writeSome(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer) throws(FutureImage.FileFailure) -> Int
  /// Closes the descriptor, even if the call throws. Network disks report failed writes in this call.
  func closeFile(_ file: OpenFile) throws(FutureImage.FileFailure)
  func setModified(_ path: String, _ date: Date) throws(FutureImage.FileFailure)
  /// Moves a file in one step. Replaces an existing file.
  func move(_ path: String, to target: String) throws(FutureImage.FileFailure)
  func delete(_ path: String) throws(FutureImage.FileFailure)
  /// Creates one directory, which only its owner may enter. Fails if the path exists.
  func makeDirectory(_ path: String) throws(FutureImage.FileFailure)
  /// Returns the names of the items in a directory, without "." and "..", in any order.
  func names(in directory: String) throws(FutureImage.FileFailure) -> [String]

  /// Whether the disk answers reads at once. Call this method with a file that was read to its end, because the method tries to read a
  /// byte. If it returns false, do not call ``openAtOnce(_:)`` for files of the same disk. If the disk is on a network, or if another
  /// program provides its contents, even opening a file that is in memory waits for the disk.
  func answersAtOnce(_ file: OpenFile) -> Bool
  /// Opens a file as ``openForReading(_:)`` does, but without waiting for the disk. Returns nil if that is impossible or fails.
  func openAtOnce(_ path: String) -> OpenFile?
  /// Whether ``isKnownMissing(_:)`` can return true, so that computing a path is worthwhile.
  var knowsMissing: Bool { get }
  /// Whether the system knows, without accessing any disk, that the path does not exist.
  func isKnownMissing(_ path: String) -> Bool
  /// Reads as ``readSome(_:into:)`` does, but without waiting for the disk. Returns nil if that is impossible or fails.
  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int?
}

/// The defaults for a file system that cannot determine which calls would wait.
extension FileSystem {
  func answersAtOnce(_ file: OpenFile) -> Bool { false }
  func openAtOnce(_ path: String) -> OpenFile? { nil }
  var knowsMissing: Bool { false }
  func isKnownMissing(_ path: String) -> Bool { false }
  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }
}

/// A descriptor, and the path with which it was opened, for error messages.
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
  /// The number of the file on its disk. A different file at the same path has a different number.
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
