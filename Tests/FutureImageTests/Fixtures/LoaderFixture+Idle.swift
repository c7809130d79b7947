@testable import FutureImage

extension LoaderFixture {
  /// Returns a future that is registered with the loader and has requested nothing.
  func idle(_ name: String = "a", _ policy: FutureImage.CachePolicy = .automatic) -> FutureImage {
    let future = deferred(policy, name)
    if let reader = future.reader { loader.state.withLock { _ = loader.register(reader, &$0) } }
    return future
  }

  /// Returns a future that requests nothing before its first use.
  func deferred(_ policy: FutureImage.CachePolicy = .automatic, _ name: String = "a") -> FutureImage {
    let descriptor = Descriptor(source: .url(LoaderFixture.url(name)), Descriptor.Settings(policy: policy), loader: loader)
    return FutureImage(descriptor, placeholder: nil, isDeferred: true)
  }
}
