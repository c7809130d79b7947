extension FutureImage {
  /// The state of a future's request for bytes. An answer is accepted only if the future still has its request.
  ///
  /// | from | by | to |
  /// | --- | --- | --- |
  /// | deferred | the first use | none |
  /// | none | the future's creation | queued |
  /// | queued | its turn in the backlog, or a reader that waits | requested |
  /// | none | a reader that lacks bytes | requested |
  /// | any but deferred | a reload | reloading |
  /// | any but deferred | an answer, a cancellation | none |
  enum Wish: Equatable {
    /// The future has never been used, so it is not registered with the loader.
    case deferred
    case none
    /// The future is in the loader's backlog, and has no request yet.
    case queued
    case requested(LoadRequest)
    /// The source is asked again, whatever caches have. An existing image stays until a changed one has arrived.
    case reloading(LoadRequest)

    /// The request to the loader.
    var request: LoadRequest? {
      switch self {
      case .deferred, .none, .queued: nil
      case .requested(let request), .reloading(let request): request
      }
    }

    /// Whether bytes are expected.
    var isPending: Bool { self == .queued || request != nil }

    var isReload: Bool { if case .reloading = self { true } else { false } }

    /// Removes the future from the backlog.
    /// - Returns: a request to register; nil if another thread was faster.
    mutating func leaveBacklog(of future: FutureImage) -> LoadRequest? {
      guard self == .queued else { return nil }
      let request = LoadRequest(.bytes, of: future)
      self = .requested(request)
      return request
    }

    /// Accepts an answer.
    /// - Returns: whether the future still had the request.
    mutating func end(_ answered: LoadRequest) -> Bool {
      guard request == answered else { return false }
      self = .none
      return true
    }
  }
}
