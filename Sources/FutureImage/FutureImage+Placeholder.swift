// Disfavored, so that a literal `nil` is unambiguous: only one initializer for URLs and one for sources remain.
extension FutureImage {
  /// Creates a future that fetches the image at a URL, and shows a placeholder until it has loaded.
  ///
  ///     let photo = FutureImage(at: place.photoURL, placeholder: .blurHash(place.blurHash), size: place.size)
  ///
  /// The placeholder's image is made at once, in the size that the image has after its transform.
  @_disfavoredOverload public convenience init(
    at url: URL, placeholder: Placeholder?, cachePolicy: CachePolicy = .automatic, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    self.init(
      .url(url), placeholder: placeholder, cachePolicy: cachePolicy, size: size, transform: transform, priority: priority, loader: loader)
  }

  /// Creates a future that loads the image of a source, and shows an asset of the app until it has loaded.
  ///
  ///     let cover = FutureImage(.file(album.coverURL), placeholder: "record")
  ///
  /// The placeholder is the name of an image among the app's assets. If there is no such asset, the log says so once.
  @_disfavoredOverload public convenience init(
    _ source: Source, placeholder: String?, cachePolicy: CachePolicy = .automatic, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    let image = placeholder.flatMap { Placeholder.named($0).image() }
    self.init(
      source, placeholder: image, cachePolicy: cachePolicy, size: size, transform: transform, priority: priority, loader: loader)
  }

  /// Creates a future that loads the image of a source, and shows a placeholder until it has loaded.
  @_disfavoredOverload public convenience init(
    _ source: Source, placeholder: Placeholder?, cachePolicy: CachePolicy = .automatic, size: CGSize? = nil, transform: Transform? = nil,
    priority: Priority = .normal, loader: Loader = .shared
  ) {
    let descriptor = Descriptor(
      source: source, policy: cachePolicy, size: size, transform: transform, priority: priority, loader: loader)
    self.init(descriptor, placeholder: placeholder?.image(for: descriptor))
  }
}

extension FutureImage.Placeholder {
  /// Returns the placeholder of a future. An asset or an app's image is what the app made it; all others get the shape that the future's
  /// transform gives to the image, if its size is known.
  func image(for descriptor: Descriptor) -> UIImage? {
    PlaceholderImages.shared.image(of: self, size: descriptor.size, descriptor.transform?.shape)
  }
}

/// Refuses a future as an image to encode: its own pixels are its placeholder's.
func requireNoFuture(_ image: UIImage) throws(FutureImage.Failure) {
  if image is FutureImage { throw FutureImage.Failure(.refused("it is a future; use its value")) }
}
