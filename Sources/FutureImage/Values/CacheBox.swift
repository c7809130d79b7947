/// A value of a ``FutureImage/Cache``, boxed to be stored among values of any type.
final class CacheBox<Value: Sendable>: Sendable {
  let value: Value
  /// Whether it may be stored on disk: not if its server forbids storing it, or the value that it is made from.
  let mayStore: Bool

  init(_ value: Value, mayStore: Bool = true) {
    self.value = value
    self.mayStore = mayStore
  }
}
