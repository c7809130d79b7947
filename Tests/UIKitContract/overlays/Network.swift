// Network has no Objective-C part here, because Apple also writes the path monitor in Swift.
// Facts: Apple docs: NWPathMonitor, NWPath.
import Foundation
public struct NWPath: Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  public let status: Status
  public var isExpensive: Bool { false }
  public var isConstrained: Bool { false }
}
public final class NWPathMonitor: Sendable {
  public init() {}
  public var currentPath: NWPath { NWPath(status: .satisfied) }
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { nil }
    set {}
  }
  public func start(queue: DispatchQueue) {}
  public func cancel() {}
}
