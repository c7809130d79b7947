/// The system calls of the disk caches, each behind one method, so that a test can let any of them fail in its turn.
///
/// Every call may wait for the disk but ``openAtOnce(_:)`` and ``readAtOnce(_:into:)``. No call follows a symbolic link in the last
/// component of its path.
protocol FileSystem: Sendable {
  /// Opens what is there; a symbolic link is refused, a directory or a pipe is opened without waiting.
  func openForReading(_ path: String) throws(FutureImage.FileFailure) -> OpenFile
  /// Makes a file that only its owner may read; it is a failure if anything is there.
  func openNew(_ path: String) throws(FutureImage.FileFailure) -> OpenFile
  func status(of file: OpenFile) throws(FutureImage.FileFailure) -> FileStatus
  /// What is there itself, not what a link leads to.
  func status(at path: String) throws(FutureImage.FileFailure) -> FileStatus
  /// The number of bytes read, which may be fewer than there is room for; 0 at the end.
  func readSome(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(FutureImage.FileFailure) -> Int
  /// The number of bytes written, which may be fewer than were given.
  func writeSome(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer) throws(FutureImage.FileFailure) -> Int
  /// The descriptor is gone afterwards, failure or not; network disks tell here that a write failed.
  func closeFile(_ file: OpenFile) throws(FutureImage.FileFailure)
  func setModified(_ path: String, _ date: Date) throws(FutureImage.FileFailure)
  /// In one step, in place of a file that is there.
  func move(_ path: String, to target: String) throws(FutureImage.FileFailure)
  func delete(_ path: String) throws(FutureImage.FileFailure)
  /// One directory, which only its owner may enter; it is a failure if anything is there.
  func makeDirectory(_ path: String) throws(FutureImage.FileFailure)
  /// Without "." and "..", in no order.
  func names(in directory: String) throws(FutureImage.FileFailure) -> [String]

  /// Whether the disk answers reads at once, to be asked of a file that was read to its end. Only after that may files of the same disk be
  /// opened at once: where a network or another program is the disk, even opening what is in memory waits for it.
  func answersAtOnce(_ file: OpenFile) -> Bool
  /// Opens what ``openForReading(_:)`` would, without waiting for the disk; nil where that cannot be, or fails.
  func openAtOnce(_ path: String) -> OpenFile?
  /// Whether nothing is there, if that is known without asking any disk; else false.
  func isKnownMissing(_ path: String) -> Bool
  /// Reads what ``readSome(_:into:)`` would, without waiting for the disk; nil where that cannot be, or fails.
  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int?
}

/// A file system that cannot tell what waits.
extension FileSystem {
  func answersAtOnce(_ file: OpenFile) -> Bool { false }
  func openAtOnce(_ path: String) -> OpenFile? { nil }
  func isKnownMissing(_ path: String) -> Bool { false }
  func readAtOnce(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }
}

/// A descriptor, and the path it was opened by, for the error's sake.
struct OpenFile: Sendable {
  let descriptor: Int32
  let path: String
}

/// What the caches want to know of a file.
struct FileStatus: Sendable, Hashable {
  enum Kind: Sendable {
    case file, directory, symbolicLink, other
  }

  var kind: Kind
  var bytes: Int
  var modified: Date
  /// The file's number on its disk: another file at the same path has another.
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
