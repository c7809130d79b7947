extension FutureImage {
  /// A future that is made when it is first touched, once, however many copies of its model there are.
  public final class Lazy: Sendable {
    private enum State {
      case untouched(@Sendable () -> FutureImage)
      case touched(FutureImage)
    }

    private let state: Lock<State>
    /// The picture's name while there is no future.
    private let name: String
    /// Whether there is a picture at all: where there is none, an optional is nil and a collection has no such element.
    let hasPicture: Bool

    /// - Parameter make: called at the first touch, on the toucher's thread; twice if two touch it at the same moment, and one of the
    ///   futures is let go.
    public convenience init(_ make: @escaping @Sendable () -> FutureImage) {
      self.init(.untouched(make))
    }

    /// A future that is there already.
    convenience init(_ future: FutureImage) {
      self.init(.touched(future))
    }

    /// - Parameter name: names the picture in the description, without credentials.
    convenience init(named name: String, _ make: @escaping @Sendable () -> FutureImage) {
      self.init(.untouched(make), name: name)
    }

    private init(_ state: State, name: String = "a picture", hasPicture: Bool = true) {
      self.state = Lock(state)
      self.name = name
      self.hasPicture = hasPicture
    }

    /// The entry of an optional or a collection that names no picture. Its future is never asked for.
    static let missing = Lazy(.untouched { FutureImage() }, hasPicture: false)

    /// Any thread; the first touch makes the future.
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

extension FutureImage.Lazy: CustomStringConvertible {
  /// The description of the future; while there is none, the name of its picture. Makes no future; any thread.
  public var description: String {
    guard hasPicture else { return "nil" }
    // The state leaves the lock with what is returned: its future may own objects of the app's.
    if case .touched(let future) = state.withLock({ $0 }) { return future.description }
    return "FutureImage(\(name), not read)"
  }
}
