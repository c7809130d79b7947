extension FutureImage {
  /// A prefetch of images that no view shows yet. Its futures are the same futures that the cells will show, so each cell joins the
  /// transfer and the decode that the prefetch has started.
  ///
  ///     let prefetch = items[20..<40].prefetch(\.photo)
  ///     prefetch.cancel()
  ///
  /// Visible images load first. The prefetch ends when you call `cancel()`, or when it is released. Images that have loaded by then remain
  /// in the caches.
  public final class Prefetch: Sendable {
    private struct Request: Sendable {
      let future: FutureImage
      let waiter: WaiterID?
    }

    private let requests: Lock<[Request]>

    /// - Parameters:
    ///   - futures: the futures, which the prefetch retains. Other code retains them, too, or will retain them.
    ///   - fitting: the pixels to decode; nil to fetch only the bytes.
    init(_ futures: [FutureImage], fitting: Fitting? = nil) {
      requests = Lock(futures.map { Request(future: $0.root, waiter: fitting == nil ? nil : WaiterID()) })
      for request in requests.withLock({ $0 }) { request.future.prefetch(fitting, request.waiter) }
    }

    deinit { cancel() }

    /// Cancels the prefetch. If a view, a waiting task, or another prefetch needs an image, or if a reload of the image is under way, the
    /// image still loads. Otherwise, the image is canceled, even if its model still exists. It starts to load again when a view shows it.
    public func cancel() {
      let taken = requests.withLock { requests in
        defer { requests = [] }
        return requests
      }
      for request in taken { request.future.endPrefetch(request.waiter) }
    }
  }

  fileprivate func prefetch(_ fitting: Fitting?, _ waiter: WaiterID?) {
    guard let reader else { return reportWithoutSource() }
    start()
    withReader { $0.prefetches += 1 }
    if let fitting {
      // A prefetch does not use the result.
      wait(fitting, waiter, isPrefetch: true) { _ in }
    } else {
      reader.descriptor.loader.loadMissing(reader, retrying: .unlessRemembered)
    }
  }

  fileprivate func endPrefetch(_ waiter: WaiterID?) {
    guard let reader else { return }
    if let waiter { leave(waiter) }
    // Race: a prefetch that checks its reader in one change and cancels in another.
    cancel(reader) { reader in
      reader.prefetches -= 1
      // Race: a prefetch that cancels an image that something else needs.
      return reader.prefetches == 0 && reader.urgency == .created && reader.demand != .reload
    }
  }
}

extension Sequence {
  /// Prefetches the images at the key path. Use it with a slice of the models that the user may reach next.
  ///
  ///     prefetch = items[visible.upperBound...].prefix(20).prefetch(\.photo)
  ///
  /// The key path may lead to a future, an optional, an array, or a dictionary of futures.
  /// - Parameters:
  ///   - path: the key path from an element to its futures, which this method reads.
  ///   - fitting: the pixels to decode; nil to fetch only the bytes.
  public func prefetch<Value: FutureImage.FutureContainer>(
    _ path: KeyPath<Element, Value>, fitting: FutureImage.Fitting? = nil
  ) -> FutureImage.Prefetch {
    let futures = Value._conversion.futures
    return FutureImage.Prefetch(flatMap { futures($0[keyPath: path]) }, fitting: fitting)
  }
}
