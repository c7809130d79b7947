@testable import FutureImage

extension SourceKey: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text) }
}
