extension FutureImage {
  /// A future that is made on first access, once, however many copies of its model exist.
  final class LazyFuture: LazyValue {
    private enum State {
      case untouched(@Sendable () -> FutureImage)
      case touched(FutureImage)
    }

    private let state: Lock<State>
    private let key: SourceKey
    /// The loader of the future to be made; nil if that is not known, or there is one.
    private let loader: Loader?
    let hasImage: Bool

    /// - Parameter make: called at the first access, on the accessing thread; called twice if two threads access it at the same moment, and
    ///   one of the futures is released.
    convenience init(_ make: @escaping @Sendable () -> FutureImage) {
      self.init(.untouched(make), key: SourceKey(""))
    }

    /// Wraps a future that exists already.
    convenience init(_ future: FutureImage) {
      self.init(.touched(future), key: future.descriptor?.key ?? SourceKey(""))
    }

    convenience init(_ key: SourceKey, by loader: Loader, _ make: @escaping @Sendable () -> FutureImage) {
      self.init(.untouched(make), key: key, loader: loader)
    }

    private init(_ state: State, key: SourceKey, loader: Loader? = nil, hasImage: Bool = true) {
      self.state = Lock(state)
      self.key = key
      self.loader = loader
      self.hasImage = hasImage
    }

    /// The entry of an optional or a collection that names no image. Its future is never requested.
    static let missing = LazyFuture(.untouched { FutureImage() }, key: SourceKey(""), hasImage: false)

    @TaskLocal private static var makesAll = true

    /// Reads properties without making futures of images that are not in use: in place of each, there is one without a source.
    static func makingOnlyUsed<Value>(_ read: () throws -> Value) rethrows -> Value {
      try $makesAll.withValue(false, operation: read)
    }

    /// The future, made on first access; any thread.
    var future: FutureImage {
      let make: @Sendable () -> FutureImage
      switch state.withLock({ $0 }) {
      case .touched(let future): return future
      case .untouched(let closure): make = closure
      }
      guard Self.makesAll || loader?.isInUse(key) == true else { return FutureImage() }
      // Made outside the lock, because this asks an app's cache tier. Of two made at once, one is released again, and costs no request.
      let future = make()
      // The closure leaves the lock with the former state, because it may own objects of the app.
      let former = state.withLock { state in
        defer { if case .untouched = state { state = .touched(future) } }
        return state
      }
      if case .touched(let first) = former { return first }
      return future
    }

    func value() -> FutureImage { future }

    func showsSame(as other: any LazyValue<FutureImage>) -> Bool { key == (other as? LazyFuture)?.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
  }
}

extension FutureImage.LazyFuture {
  /// The description of the future or, while there is none, the name of its image. Makes no future; any thread.
  var description: String {
    guard hasImage else { return "nil" }
    // The state leaves the lock with the returned value, because its future may own objects of the app.
    if case .touched(let future) = state.withLock({ $0 }) { return future.description }
    return "FutureImage(\(key.text.isEmpty ? "a picture" : FutureImage.Source.name(of: key)), not read)"
  }
}
