extension FutureImage {
  /// A future that is made when it is first touched, once, however many copies of its model there are.
  public final class Lazy: Sendable {
    private enum State {
      case untouched(@Sendable () -> FutureImage)
      case touched(FutureImage)
    }

    private let state: Lock<State>

    /// - Parameter make: called at the first touch, on the toucher's thread; twice if two touch it at the same moment, and one of the
    ///   futures is let go.
    public init(_ make: @escaping @Sendable () -> FutureImage) {
      state = Lock(.untouched(make))
    }

    /// Any thread; the first touch starts the fetch.
    public var future: FutureImage {
      let make: @Sendable () -> FutureImage
      switch state.withLock({ $0 }) {
      case .touched(let future): return future
      case .untouched(let closure): make = closure
      }
      // Made outside of the lock, since an app's cache tier is asked. Of two that are made at once one goes again, and costs no request.
      let future = make()
      // The closure leaves the lock with what was there before: it may own objects of the app's.
      let former = state.withLock { state in
        defer { if case .untouched = state { state = .touched(future) } }
        return state
      }
      if case .touched(let first) = former { return first }
      return future
    }
  }
}
