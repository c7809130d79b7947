/// A value of a ``FutureImage/Cache`` among values of any type.
final class CacheBox<Value: Sendable>: Sendable {
  let value: Value
  /// Whether it may lie on disk: not what its server forbids to store, nor what is made of that.
  let mayStore: Bool

  init(_ value: Value, mayStore: Bool = true) {
    self.value = value
    self.mayStore = mayStore
  }
}
