extension FutureImage {
  /// A future that is made only once, on first access, for all copies of its model.
  final class LazyFuture: LazyValue {
    private enum State {
      case untouched(@Sendable () -> FutureImage)
      case touched(FutureImage)
    }

    private let state: Lock<State>
    private let key: SourceKey
    /// The loader of the future to make; nil if the loader is not known, or if the future existed from the start.
    private let loader: Loader?
    let hasImage: Bool

    /// - Parameter make: called on first access, on the accessing thread. If two threads access the future at the same moment, both call
    ///   it, and one of the two futures is released.
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

    /// The value for a text that names no image, in an optional or a collection. Its `future` is never read.
    static let missing = LazyFuture(.untouched { FutureImage() }, key: SourceKey(""), hasImage: false)

    @TaskLocal private static var makesAll = true

    /// Calls `read` without making futures of images that are not in use. If `read` accesses the future of such an image, it gets a future
    /// without a source instead.
    static func makingOnlyUsed<Value>(_ read: () throws -> Value) rethrows -> Value {
      try $makesAll.withValue(false, operation: read)
    }

    /// The future, which is made on first access. May be read on any thread.
    var future: FutureImage {
      let make: @Sendable () -> FutureImage
      switch state.withLock({ $0 }) {
      case .touched(let future): return future
      case .untouched(let closure): make = closure
      }
      guard Self.makesAll || loader?.isInUse(key) == true else { return FutureImage() }
      // The future is made outside the lock, because `make` calls an app's cache tier. If two threads make futures at the same time, one of
      // the futures is released and causes no request.
      let future = make()
      // The former state is returned from the lock, because its closure may own objects of the app, which must be released outside the
      // lock.
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
  /// The description of the future or, if the future is not made yet, the name of its image. Makes no future. May be read on any thread.
  var description: String {
    guard hasImage else { return "nil" }
    // The state is returned from the lock, because its future may own objects of the app, which must be released outside the lock.
    if case .touched(let future) = state.withLock({ $0 }) { return future.description }
    return "FutureImage(\(key.text.isEmpty ? "an image" : FutureImage.Source.name(of: key)), not read)"
  }
}
