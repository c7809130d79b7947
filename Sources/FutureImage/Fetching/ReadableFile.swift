/// A regular file that is open for reading. It is closed when this object is released. Only the position in the file changes, and the
/// system guards that position.
final class ReadableFile: Sendable {
  /// The size in bytes when the file was opened.
  let size: Int
  private let descriptor: Int32

  /// - Throws: ``FutureImage/Failure``: `.transport` if no descriptor is left, otherwise `.unreadable`.
  init(_ path: String) throws {
    var status = stat()
    // The type is checked before opening, because opening alone may rewind a tape or wake a device.
    guard stat(path, &status) == 0 else { throw Self.failure() }
    try Self.requireRegular(status)
    // A pipe may have replaced the file since the check. Without O_NONBLOCK, opening the pipe would block the thread until another process
    // writes.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    let isKnown = descriptor >= 0 && fstat(descriptor, &status) == 0
    size = isKnown ? Int(status.st_size) : 0
    // All properties are now initialized, so after any throw below, deinit closes the file.
    guard isKnown else { throw Self.failure() }
    try Self.requireRegular(status)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns the next bytes, at most `count`, or empty data at the end of the file.
  func read(_ count: Int) throws -> Data {
    var data = Data(count: count)
    // The buffer is as long as the count passed to the system, and is not used after the call.
    let result = data.withUnsafeMutableBytes { buffer in
      var result: Int
      repeat { result = systemRead(descriptor, buffer.baseAddress, count) } while result < 0 && errno == EINTR
      return result
    }
    guard result >= 0 else { throw Self.failure() }
    data.removeSubrange(result...)
    return data
  }

  private static func requireRegular(_ status: stat) throws {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FutureImage.Failure(.unreadable("it is a folder, a pipe or a device; name a regular file"))
    }
  }

  private static func failure() -> FutureImage.Failure { FutureImage.Failure(reading: errno) }
}

/// The system's `read`, which the method of the same name hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(descriptor, bytes, count) }

extension FutureImage.Failure {
  /// Creates the failure for an `errno` of a call that opens or reads a file. A lack of descriptors is a transient failure, because it is
  /// temporary and not caused by the file.
  init(reading error: Int32) {
    switch error {
    case EMFILE, ENFILE: self.init(.transport(.other(SystemError.clause(error))))
    default: self.init(.unreadable(SystemError.clause(error)))
    }
  }
}
