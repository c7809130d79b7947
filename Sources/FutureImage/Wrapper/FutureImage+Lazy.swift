extension FutureImage {
  /// A future that is made on first access, once, however many copies of its model exist.
  final class Lazy: Unmade {
    private enum State {
      case untouched(@Sendable () -> FutureImage)
      case touched(FutureImage)
    }

    private let state: Lock<State>
    /// The image's name while there is no future.
    private let name: String
    let hasPicture: Bool

    /// - Parameter make: called at the first access, on the accessing thread; called twice if two threads access it at the same moment, and
    ///   one of the futures is released.
    convenience init(_ make: @escaping @Sendable () -> FutureImage) {
      self.init(.untouched(make))
    }

    /// Wraps a future that exists already.
    convenience init(_ future: FutureImage) {
      self.init(.touched(future))
    }

    /// - Parameter name: the image's name in the description, without credentials.
    convenience init(named name: String, _ make: @escaping @Sendable () -> FutureImage) {
      self.init(.untouched(make), name: name)
    }

    private init(_ state: State, name: String = "a picture", hasPicture: Bool = true) {
      self.state = Lock(state)
      self.name = name
      self.hasPicture = hasPicture
    }

    /// The entry of an optional or a collection that names no image. Its future is never requested.
    static let missing = Lazy(.untouched { FutureImage() }, hasPicture: false)

    /// The future, made on first access; any thread.
    var future: FutureImage {
      let make: @Sendable () -> FutureImage
      switch state.withLock({ $0 }) {
      case .touched(let future): return future
      case .untouched(let closure): make = closure
      }
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
  }
}

extension FutureImage.Lazy {
  /// The description of the future or, while there is none, the name of its image. Makes no future; any thread.
  var description: String {
    guard hasPicture else { return "nil" }
    // The state leaves the lock with the returned value, because its future may own objects of the app.
    if case .touched(let future) = state.withLock({ $0 }) { return future.description }
    return "FutureImage(\(name), not read)"
  }
}
