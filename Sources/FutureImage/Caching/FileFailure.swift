extension FutureImage {
  /// What went wrong with a file of a disk tier, and which file it was.
  ///
  /// It never means that a picture is lost: the loader goes on to the network and reports this in its statistics.
  public struct FileFailure: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Reason: Sendable, Hashable {
      /// A system call failed; the code is `errno`.
      case system(call: String, code: Int32)
      /// Something else than a file is where a file should be; it was left alone.
      case notAFile(String)
      /// The body is larger than the tier takes, in bytes.
      case tooLarge(bytes: Int, limit: Int)
      /// The path may not be used.
      case refused(String)
      /// The program is not a member of the app group whose identifier is the ``path``.
      case noContainer
    }

    /// What went wrong with it.
    public let reason: Reason
    /// The file, the path that was refused, or the identifier of the app group.
    public let path: String

    /// For disk tiers of an app's own.
    public init(_ reason: Reason, path: String) {
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

    /// The process may not use the file: for now, if it is protected and the device is locked.
    ///
    /// Opening such a file fails with EPERM (realm/realm-swift issue 6505), and so does reading one that is open (stephencelis/SQLite.swift
    /// issue 883). Where permissions are wrong it is EACCES. Neither says anything about what is in the file.
    var isDenied: Bool { code == EPERM || code == EACCES }
  }
}

extension FutureImage.FileFailure: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch reason {
    case .system(let call, let code): "The cache file \(path) cannot be used: \(SystemError.clause(code, call: call))."
    case .notAFile(let what): "The cache file \(path) cannot be used: there is \(what.clause) in its place; move that away."
    case .tooLarge(let bytes, let limit):
      "The cache file \(path) cannot be used: it has \(bytes) bytes, more than the \(limit) allowed; raise the cache's limit if it may."
    case .noContainer:
      "The caches of the app group \(path.debugDescription) cannot be used: this program is not a member of the group; add the group to "
        + "the App Groups capability of its target, and check its spelling."
    case .refused(let why): "The cache path \(path.debugDescription) cannot be used: \(why.clause)."
    }
  }
}

extension Error {
  /// Whether a file may not be used: see ``FutureImage/FileFailure/isDenied``.
  var isDenied: Bool { (self as? FutureImage.FileFailure)?.isDenied ?? false }
}
