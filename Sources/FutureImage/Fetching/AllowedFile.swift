/// The path of a file that a loader may read.
enum AllowedFile {
  /// Checks the path, and returns the path to open, with its symbolic links resolved. A link that replaces the file after the check is not
  /// detected.
  /// - Parameter folders: the folders that may contain the file, directly or in a subfolder. If nil, any file is allowed, and the path is
  ///   returned unchanged.
  /// - Throws: ``FutureImage/Failure``: `.unreadable` if there is no such file, `.refused` if the file is outside of the folders.
  static func path(_ path: String, in folders: [URL]?) throws -> String {
    guard let folders else { return path }
    guard let real = resolved(path) else { throw FutureImage.Failure(.unreadable(SystemError.clause(errno))) }
    let isInside = folders.contains { folder in
      guard let root = resolved(folder.path(percentEncoded: false)) else { return false }
      return real.hasPrefix(root.hasSuffix("/") ? root : root + "/")
    }
    guard isInside else {
      throw FutureImage.Failure(.refused("its file is outside of the allowed folders; add its folder to Loader.Configuration.fileRoots"))
    }
    return real
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
