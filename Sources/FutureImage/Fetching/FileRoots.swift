extension FutureImage {
  /// Which files a loader may read for sources that ask for one.
  public enum FileRoots: Sendable, Hashable {
    /// Any that the process may read.
    case anywhere
    /// Those in these folders and below. Links are followed before it is decided, `..` is resolved.
    case within([URL])
  }
}

extension FutureImage.FileRoots {
  /// The path to open: where the links of the given one lead to. A link that is put in its place afterwards is not seen.
  /// - Throws: ``FutureImage/Failure``: `.unreadable` if there is no such file, `.refused` if it lies outside.
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
