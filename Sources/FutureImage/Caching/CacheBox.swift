/// A value of a ``FutureImage/Cache`` among values of any type.
final class CacheBox<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
