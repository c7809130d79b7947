extension FutureImage {
  /// The files that a loader may read for sources that request one.
  public enum FileRoots: Sendable, Hashable {
    /// Any file that the process can read.
    case anywhere
    /// The files in these folders and below. Links are followed and `..` is resolved before the check.
    case within([URL])
  }
}

extension FutureImage.FileRoots {
  /// Returns the path to open, with the links of the given one resolved. A link that replaces the file afterwards is not detected.
  /// - Throws: ``FutureImage/Failure``: `.unreadable` if there is no such file, `.refused` if it is outside of the folders.
  func allowed(_ path: String) throws -> String {
    guard case .within(let folders) = self else { return path }
    guard let real = Self.resolved(path) else { throw FutureImage.Failure(.unreadable(SystemError.clause(errno))) }
    let isInside = folders.contains { folder in
      guard let root = Self.resolved(folder.path(percentEncoded: false)) else { return false }
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
