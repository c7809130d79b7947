import Foundation

extension LoopbackServer {
  /// A system call that kept the server from starting.
  public struct Failure: Swift.Error, Equatable, CustomStringConvertible {
    /// The system call that failed.
    public let call: String
    /// The value of `errno`.
    public let code: Int32

    public var description: String { "LoopbackServer could not start: \(call): \(String(cString: strerror(code)))" }
  }
}
