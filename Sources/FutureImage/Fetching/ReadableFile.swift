/// A regular file, open for reading; closed when it goes. Its position is the only thing that changes, and the system guards that.
final class ReadableFile: Sendable {
  /// In bytes, when it was opened.
  let size: Int
  private let descriptor: Int32

  /// - Throws: ``FutureImage/Failure`` with `.unreadable`.
  init(_ path: String) throws {
    var status = stat()
    // Asked before opening, since opening alone may rewind a tape or wake a device.
    guard stat(path, &status) == 0 else { throw Self.failure() }
    try Self.requireRegular(status)
    // Without O_NONBLOCK a pipe that took the file's place since would hold the thread until somebody writes.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    let isKnown = descriptor >= 0 && fstat(descriptor, &status) == 0
    size = isKnown ? Int(status.st_size) : 0
    // All is initialized: whatever is thrown from here on, deinit closes.
    guard isKnown else { throw Self.failure() }
    try Self.requireRegular(status)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The next bytes, at most `count`; none at the end of the file.
  func read(_ count: Int) throws -> Data {
    var data = Data(count: count)
    // The buffer is as long as the count that the system gets, and is not used after the call.
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
  /// Why the system did not open or read a file. A lack of descriptors says nothing of the file, and passes.
  init(reading error: Int32) {
    switch error {
    case EMFILE, ENFILE: self.init(.transport(.other(SystemError.clause(error))))
    default: self.init(.unreadable(SystemError.clause(error)))
    }
  }
}
