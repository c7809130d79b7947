extension FutureImage {
  /// A failure of a file of a disk tier, which is a cache on disk. It states the reason and the file.
  ///
  /// A failure never means that an image is lost. The loader continues with the network, and reports the failure in its statistics.
  struct FileFailure: Error, Sendable, Hashable {
    /// The reason of a failure.
    enum Reason: Sendable, Hashable {
      /// A system call failed; the code is `errno`.
      case system(call: String, code: Int32)
      /// The item at the path is not a file, and was left unchanged.
      case notAFile(String)
      /// The size of the body exceeds the tier's limit; both are in bytes.
      case tooLarge(bytes: Int, limit: Int)
      /// The path may not be used.
      case refused(String)
      /// The program is not a member of the app group whose identifier is the ``path``.
      case noContainer
    }

    /// The reason of the failure.
    let reason: Reason
    /// The file, the path that was refused, or the identifier of the app group.
    let path: String

    init(_ reason: Reason, path: String) {
      self.reason = reason
      self.path = path
    }

    /// The system's error number, if a system call failed.
    var code: Int32? {
      if case .system(_, let code) = reason { code } else { nil }
    }

    var isMissing: Bool { code == ENOENT }
    var isPresent: Bool { code == EEXIST }
    var isTooLarge: Bool { if case .tooLarge = reason { true } else { false } }

    /// Whether the process may not use the file. This is temporary if the file is protected and the device is locked.
    ///
    /// On a locked device, opening a protected file fails with EPERM (realm/realm-swift issue 6505), and so does reading a protected file
    /// that is open (stephencelis/SQLite.swift issue 883). Wrong permissions cause EACCES. These errors do not mean that the file's
    /// contents are damaged.
    var isDenied: Bool { code == EPERM || code == EACCES }
  }
}

extension FutureImage.FileFailure: LocalizedError, CustomStringConvertible {
  var errorDescription: String? { description }

  var description: String {
    switch reason {
    case .system(let call, let code): "The cache file \(path) cannot be used: \(SystemError.clause(code, call: call))."
    case .notAFile(let what): "The cache file \(path) cannot be used: there is \(what.clause) in its place; remove that item."
    case .tooLarge(let bytes, let limit):
      "The cache file \(path) cannot be used: it has \(bytes) bytes, more than the \(limit) allowed; to allow larger files, raise the cache's limit."
    case .noContainer:
      "The caches of the app group \(path.debugDescription) cannot be used: this program is not a member of the group; add the group to "
        + "the App Groups capability of its target, and check its spelling."
    case .refused(let why): "The cache path \(path.debugDescription) cannot be used: \(why.clause)."
    }
  }
}

extension Error {
  /// Whether a file may not be used: see ``FutureImage/FileFailure/isDenied``.
  package var isDenied: Bool { (self as? FutureImage.FileFailure)?.isDenied ?? false }
}
