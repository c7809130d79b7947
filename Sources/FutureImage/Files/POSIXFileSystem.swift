/// The file system of the machine, accessed by system calls.
struct POSIXFileSystem: FileSystem {
  func openForReading(_ path: String) throws(FutureImage.FileFailure) -> OpenFile {
    do {
      // Without O_NONBLOCK, opening a pipe would wait forever for its other end. The flag has no effect on files.
      return try descriptor(path, O_RDONLY | O_NONBLOCK)
    } catch  where error.code == ELOOP {
      throw FutureImage.FileFailure(.notAFile("a symbolic link"), path: path)
    }
  }

  func openNew(_ path: String) throws(FutureImage.FileFailure) -> OpenFile {
    try descriptor(path, O_WRONLY | O_CREAT | O_EXCL)
  }

  func status(of file: OpenFile) throws(FutureImage.FileFailure) -> FileStatus {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw .last("fstat", file.path) }
    return FileStatus(status)
  }

  func status(at path: String) throws(FutureImage.FileFailure) -> FileStatus {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .last("lstat", path) }
    return FileStatus(status)
  }

  func readSome(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(FutureImage.FileFailure) -> Int {
    while true {
      let count = read(file.descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw .last("read", file.path) }
    }
  }

  func writeSome(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer) throws(FutureImage.FileFailure) -> Int {
    while true {
      let count = writeWithoutSignal(file.descriptor, bytes)
      if count >= 0 { return count }
      if errno != EINTR { throw .last("write", file.path) }
    }
  }

  func closeFile(_ file: OpenFile) throws(FutureImage.FileFailure) {
    // The call is not repeated after an interruption, because the descriptor is free by then and may already belong to another thread.
    if close(file.descriptor) != 0, errno != EINTR { throw .last("close", file.path) }
  }

  func setModified(_ path: String, _ date: Date) throws(FutureImage.FileFailure) {
    let seconds = date.timeIntervalSince1970
    let whole = seconds.rounded(.down)
    let time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
    guard utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW) == 0 else { throw .last("utimensat", path) }
  }

  func move(_ path: String, to target: String) throws(FutureImage.FileFailure) {
    guard rename(path, target) == 0 else { throw .last("rename", target) }
  }

  func delete(_ path: String) throws(FutureImage.FileFailure) {
    guard unlink(path) == 0 else { throw .last("unlink", path) }
  }

  func makeDirectory(_ path: String) throws(FutureImage.FileFailure) {
    guard mkdir(path, 0o700) == 0 else { throw .last("mkdir", path) }
  }

  func names(in directory: String) throws(FutureImage.FileFailure) -> [String] {
    let file = try descriptor(directory, O_RDONLY | O_DIRECTORY)
    guard let stream = fdopendir(file.descriptor) else {
      let failure = FutureImage.FileFailure.last("fdopendir", directory)
      close(file.descriptor)
      throw failure
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      // The name is read in place, up to its zero byte. A copy of the whole struct would reach beyond the end of a short entry.
      let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let text = String(cString: name.assumingMemoryBound(to: CChar.self))
      if text != ".", text != ".." { names.append(text) }
      errno = 0
    }
    if errno != 0 { throw .last("readdir", directory) }
    return names
  }

  private func descriptor(_ path: String, _ flags: Int32) throws(FutureImage.FileFailure) -> OpenFile {
    while true {
      let descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return OpenFile(descriptor: descriptor, path: path) }
      if errno != EINTR { throw .last("open", path) }
    }
  }
}

extension FutureImage.FileFailure {
  /// Returns the failure that `errno` describes. Call this method before any other call.
  fileprivate static func last(_ call: String, _ path: String) -> Self {
    let code = errno
    return Self(.system(call: call, code: code), path: path)
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    let time = modificationTime(of: status)
    let modified = Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
    self.init(kind: kind, bytes: Int(status.st_size), modified: modified, identity: UInt64(status.st_ino))
  }
}
