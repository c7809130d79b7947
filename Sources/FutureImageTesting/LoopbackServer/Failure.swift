import Foundation

extension LoopbackServer {
  /// A system call that kept the server from starting.
  public struct Failure: Swift.Error, Equatable, CustomStringConvertible {
    /// The system call that failed.
    public let call: String
    /// The value of `errno`.
    public let code: Int32

    public var description: String {
      "LoopbackServer cannot start: the system gave it no socket. End other servers and try again "
        + "(\(call): \(String(cString: strerror(code))))."
    }
  }
}
