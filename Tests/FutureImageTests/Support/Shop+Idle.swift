@testable import FutureImage

extension Shop {
  /// Returns a future that is registered with the loader and has requested nothing.
  func idle(_ policy: FutureImage.CachePolicy = .automatic) -> FutureImage {
    let future = deferred(policy)
    _ = future.register()
    return future
  }

  /// Returns a future that waits for its first use.
  func deferred(_ policy: FutureImage.CachePolicy = .automatic) -> FutureImage {
    let descriptor = Descriptor(
      source: .url(Shop.url()), policy: policy, size: nil, transform: nil, priority: .normal, loader: loader)
    return FutureImage(descriptor, placeholder: nil, isDeferred: true)
  }
}

extension FutureImage {
  /// Gives the future a request for bytes that the loader does not know.
  func expectBytes() -> LoadRequest {
    let request = LoadRequest(.bytes, of: self)
    state.withLock { $0.wish = .requested(request) }
    return request
  }
}
