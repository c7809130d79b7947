extension FutureImage {
  /// Returns a future that is in a given phase from the start. Use it in previews of views and in snapshots. The future requests nothing
  /// from a network, and its phase does not change by itself.
  ///
  ///     FutureImageView(.constant(.loading(0.4), placeholder: .image(sketch)))
  ///     imageView.futureImage = .constant(.failed(FutureImage.Failure(.status(404))))
  ///
  /// - Parameters:
  ///   - phase: `.ready` with an image, which may be animated and have any orientation; `.loading`, with a fraction or nil; or `.failed`.
  ///     The phases `.waiting` and `.fetched` are treated as `.loading` without a fraction.
  ///   - placeholder: the image to show while there is no other image.
  ///   - size: the size of the image in points, as if the model knew it.
  public static func constant(_ phase: Phase, placeholder: Placeholder? = nil, size: CGSize? = nil) -> FutureImage {
    let key = "constant \(Scheduling.uniqueName())"
    let source: Source =
      switch phase {
      case .ready(let image): .image(image, key: key)
      case .failed(let failure): .data(key: key) { throw failure }
      case .waiting, .loading, .fetched: .data(key: key) { try await never() }
      }
    let loader = Loader.ofConstantFutures
    let future = FutureImage(source, placeholder: placeholder, size: size, loader: loader)
    switch phase {
    case .ready(let image):
      // The image is ready at once. The future refers to it weakly, and the source retains it.
      if let reader = future.reader, !(image is FutureImage) { loader.change { loader.adopt(image, reader, &$0) } }
    case .failed(let failure):
      let remembered = loader.remembered(failure.of(source))
      // Without the cancellation, the future would be loading for a moment.
      future.cancel()
      future.withReader { $0.failure = remembered }
    case .loading(let fraction): future.beginLoading(fraction)
    case .waiting, .fetched: future.beginLoading(nil)
    }
    return future
  }

  private func beginLoading(_ fraction: Double?) {
    withReader { reader in
      guard let fetch = reader.picture?.fetch else { return }
      (fetch.isLoading, fetch.fraction) = (true, fraction)
    }
  }

  private static func never() async throws -> Data {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    // Only a cancellation ends the stream.
    withExtendedLifetime(continuation) {}
    throw CancellationError()
  }
}

extension FutureImage.Loader {
  /// The loader of constant futures, which shares nothing with the loaders of the app.
  fileprivate static let ofConstantFutures: FutureImage.Loader = {
    var configuration = Configuration()
    configuration.diskCache = nil
    configuration.retry = .never
    // Each of these times is 34 years, so failures do not expire.
    configuration.retry.failureMemory = .seconds(1 << 30)
    configuration.retry.transientFailureMemory = .seconds(1 << 30)
    return FutureImage.Loader(configuration)
  }()
}
