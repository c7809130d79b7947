extension FileSystem {
  /// Writes a temporary file in the folder, and calls `place` with its path. That closure moves the file to its destination, or deletes it.
  ///
  /// Other processes and users may remove the temporary file or the whole folder at any moment. Each such removal causes one more try, and
  /// the number of these tries is not limited. Only a removal after the beginning of a try can make that try fail, so the write succeeds as
  /// soon as removals pause. If a file is missing and no removal explains it, the disk is faulty. After three tries that fail in this way,
  /// the write fails.
  ///
  /// - Parameters:
  ///   - makeFolder: makes the folder, and returns false if it already exists.
  ///   - place: called again with another path for each try.
  func writeAndPlace(
    _ parts: [Data], in folder: String, makeFolder: () throws -> Bool, place: (String) throws -> Void
  ) throws {
    var unexplained = 0
    while true {
      var isTaken = false
      do {
        return try UnfinishedFiles.withNewName { name in
          let temporary = "\(folder)/\(name)"
          try writeNew(temporary, parts)
          do {
            try place(temporary)
          } catch {
            isTaken = isKnownGone(temporary)
            try? delete(temporary)
            throw error
          }
        }
      } catch let failure as FutureImage.FileFailure where failure.isMissing {
        // Race: a file that is removed while it is written, second place.
        let isExplained = try makeFolder() || isTaken
        if !isExplained { unexplained += 1 }
        if unexplained == 3 { throw failure }
      }
    }
  }

  private func isKnownGone(_ path: String) -> Bool { (try? statusIfPresent(at: path)) == .some(nil) }
}
