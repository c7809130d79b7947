/// A system error number in plain words.
enum SystemError {
  /// Returns the cause and the remedy as the end of a sentence, followed by the system's own message.
  /// - Parameters:
  ///   - code: an `errno`.
  ///   - call: the system call that failed; nil if readers of the message need not see it.
  static func clause(_ code: Int32, call: String? = nil) -> String {
    let systemMessage = String(cString: strerror(code))
    return "\(plain(code)) (\(call.map { "\($0): " } ?? "")\(systemMessage), error \(code))"
  }

  private static func plain(_ code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR: "there is no such file; check its path"
    case EACCES, EPERM: "the process may not use it; check its permissions"
    case EROFS: "the disk is read-only; use another folder"
    case ENOSPC, EDQUOT: "the disk is full; free some space"
    case EMFILE, ENFILE: "too many files and connections are open; close some, or raise the limit"
    case EISDIR: "it is a folder; check its path"
    case ELOOP, ENAMETOOLONG: "its path is not valid; check it"
    case EIO: "the disk failed; check it"
    default: "the system refused the operation; look up the error"
    }
  }
}
