extension FileSystem {
  /// Returns the status of the item itself, not of the target of a link; nil if the item does not exist.
  func statusIfPresent(at path: String) throws(FutureImage.FileFailure) -> FileStatus? {
    do {
      return try status(at: path)
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Opens a file for reading; nil if it does not exist.
  func openIfPresent(_ path: String) throws(FutureImage.FileFailure) -> OpenFile? {
    do {
      return try openForReading(path)
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Returns the names in the directory; no names if the directory does not exist.
  func namesIfPresent(in directory: String) throws(FutureImage.FileFailure) -> [String] {
    do {
      return try names(in: directory)
    } catch  where error.isMissing {
      return []
    }
  }

  func deleteIfPresent(_ path: String) throws(FutureImage.FileFailure) {
    do {
      try delete(path)
    } catch  where error.isMissing {
      // Another process may have deleted the file first.
    }
  }

  /// Reads at most `count` bytes of the file. The result has fewer bytes if the file has become shorter.
  func readWhole(_ file: OpenFile, count: Int) throws(FutureImage.FileFailure) -> AppendOnlyBuffer {
    let bytes = AppendOnlyBuffer(capacity: count)
    while bytes.count < count {
      let read = try bytes.fill { room throws(FutureImage.FileFailure) in try readSome(file, into: room) }
      if read == 0 { break }
    }
    return bytes
  }

  /// Reads at most `count` bytes of the file without waiting for the disk. Returns nil if that is impossible or fails.
  func readWholeAtOnce(_ file: OpenFile, count: Int) -> AppendOnlyBuffer? {
    let bytes = AppendOnlyBuffer(capacity: count)
    while bytes.count < count {
      guard let read = bytes.fill({ room in readAtOnce(file, into: room) }) else { return nil }
      if read == 0 { break }
    }
    return bytes
  }

  /// Creates a new file from the parts. If writing or closing the file fails, deletes the file.
  func writeNew(_ path: String, _ parts: [Data]) throws(FutureImage.FileFailure) {
    let file = try openNew(path)
    do {
      for part in parts { try writeAll(file, part) }
    } catch {
      try? closeFile(file)
      try? delete(path)
      throw error
    }
    do {
      try closeFile(file)
    } catch {
      try? delete(path)
      throw error
    }
  }

  /// Creates the directory and its missing parents. Returns whether this call created the directory itself.
  @discardableResult
  func makeDirectories(_ path: String) throws(FutureImage.FileFailure) -> Bool {
    do {
      try makeDirectory(path)
      return true
    } catch  where error.isPresent {
      return false
    } catch  where error.isMissing {
      let parent = (path as NSString).deletingLastPathComponent
      guard !parent.isEmpty, parent != path else { throw error }
      try makeDirectories(parent)
    }
    do {
      try makeDirectory(path)
      return true
    } catch  where error.isPresent {
      return false
    }
  }

  private func writeAll(_ file: OpenFile, _ data: Data) throws(FutureImage.FileFailure) {
    var written = 0
    while written < data.count {
      let rest = written
      // `withUnsafeBytes` cannot rethrow a typed error.
      let result = data.withUnsafeBytes { bytes in
        Result { () throws(FutureImage.FileFailure) in try writeSome(file, UnsafeRawBufferPointer(rebasing: bytes[rest...])) }
      }
      let count = try result.get()
      guard count > 0 else { throw FutureImage.FileFailure(.system(call: "write", code: EIO), path: file.path) }
      written += count
    }
  }
}
