extension FutureImage {
  /// The state of a future's request for bytes. Only the answer to a request that the future still has is taken.
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
    /// The future has never been used, so the loader does not know it.
    case deferred
    case none
    /// The future is in the loader's backlog, and has no request yet.
    case queued
    case requested(LoadRequest)
    /// The source is asked again, whatever caches have. A picture that is here stays until a changed one has come.
    case reloading(LoadRequest)

    /// The request that the loader knows.
    var request: LoadRequest? {
      switch self {
      case .deferred, .none, .queued: nil
      case .requested(let request), .reloading(let request): request
      }
    }

    /// Whether bytes are to come.
    var isPending: Bool { self == .queued || request != nil }

    var isReload: Bool { if case .reloading = self { true } else { false } }

    /// Takes the future out of the backlog.
    /// - Returns: a request to be registered; nil if another thread was faster.
    mutating func leaveBacklog(of future: FutureImage) -> LoadRequest? {
      guard self == .queued else { return nil }
      let request = LoadRequest(.bytes, of: future)
      self = .requested(request)
      return request
    }

    /// Takes an answer.
    /// - Returns: whether the future still had the request.
    mutating func end(_ answered: LoadRequest) -> Bool {
      guard request == answered else { return false }
      self = .none
      return true
    }
  }
}
