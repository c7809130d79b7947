extension FutureImage {
  /// A wish for pictures that nobody shows yet. Its future is the one that the cell will show: the cell joins the very same transfer and
  /// decode.
  ///
  ///     let prefetch = items[20..<40].prefetch(\.photo)
  ///     prefetch.cancel()
  ///
  /// What is shown goes first. The wish ends with `cancel()` or when this is let go; the pictures that are there by then stay in the
  /// caches.
  public final class Prefetch: Sendable {
    private struct Wish: Sendable {
      let future: FutureImage
      let waiter: WaiterID?
    }

    private let wishes: Lock<[Wish]>

    /// - Parameters:
    ///   - futures: that somebody holds, or will; the wish holds them as well.
    ///   - fitting: the pixels to make; nil to fetch the bytes only.
    public init(_ futures: [FutureImage], fitting: Fitting? = nil) {
      wishes = Lock(futures.map { Wish(future: $0.root, waiter: fitting == nil ? nil : WaiterID()) })
      for wish in wishes.withLock({ $0 }) { wish.future.prefetch(fitting, wish.waiter) }
    }

    deinit { cancel() }

    /// Takes the wish back. A picture that somebody else wants, a view, a waiting task or another prefetch, comes all the same. One that
    /// nobody wants any more is given up, although its model lives: it starts anew when it is shown.
    public func cancel() {
      let taken = wishes.withLock { wishes in
        defer { wishes = [] }
        return wishes
      }
      for wish in taken { wish.future.endPrefetch(wish.waiter) }
    }
  }

  fileprivate func prefetch(_ fitting: Fitting?, _ waiter: WaiterID?) {
    guard descriptor != nil else { return reportWithoutSource() }
    start()
    state.withLock { $0.prefetches += 1 }
    if let fitting {
      // Who asked does not wait for an answer.
      wait(fitting, waiter, isPrefetch: true) { _ in }
    } else {
      pursue(retrying: .unlessRefused)
    }
  }

  fileprivate func endPrefetch(_ waiter: WaiterID?) {
    guard descriptor != nil else { return }
    if let waiter { leave(waiter) }
    cancel { state in
      state.prefetches -= 1
      return state.prefetches == 0 && state.urgency == .created && !state.wish.isReload
    }
  }
}

extension Sequence {
  /// Asks for the pictures at the key path: of a slice of models those that the user may come to next.
  ///
  ///     prefetch = items[visible.upperBound...].prefix(20).prefetch(\.photo)
  ///
  /// The key path may lead to a future, an optional, an array or a dictionary of futures.
  /// - Parameters:
  ///   - path: from an element to its futures, which this touches.
  ///   - fitting: the pixels to make; nil to fetch the bytes only.
  public func prefetch<Value: FutureImage.Shape>(
    _ path: KeyPath<Element, Value>, fitting: FutureImage.Fitting? = nil
  ) -> FutureImage.Prefetch {
    FutureImage.Prefetch(flatMap { $0[keyPath: path].futures }, fitting: fitting)
  }
}

extension Sequence where Element == FutureImage {
  /// Asks for these pictures.
  public func prefetch(fitting: FutureImage.Fitting? = nil) -> FutureImage.Prefetch {
    FutureImage.Prefetch(Array(self), fitting: fitting)
  }
}
