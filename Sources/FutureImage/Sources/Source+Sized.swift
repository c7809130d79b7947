extension FutureImage.Source {
  /// An image in one size, as the closure of a sized source returns it.
  public enum Rendition: Sendable {
    /// The pixels of an image, turned upright; for an animated image, those that it shows first.
    case image(UIImage)
    /// The pixels unchanged, taken as upright.
    case pixels(CGImage)
    /// An encoded image, in any format that the loader's decoder reads. It may be larger than requested: it is decoded in the needed size.
    case bytes(Data)
  }

  /// An image that something else can make in any size: a photo library, a video, a PDF, a drawing.
  ///
  /// ```swift
  /// FutureImage(
  ///   .sized(key: asset.localIdentifier, wholeSize: CGSize(width: asset.pixelWidth, height: asset.pixelHeight)) { pixels in
  ///     .image(try await library.image(of: asset, fitting: pixels))
  ///   })
  /// ```
  ///
  /// When a view shows the future or code awaits it, the closure runs in a task with the needed size, once for all futures of the key that
  /// need the same size. Sizes are rounded up to one of eleven, from a sixty-fourth of the whole image to all of
  /// it, so views of nearly the same size share one call. When no request needs the size any more, the task is canceled. Any number of
  /// calls may run at once.
  ///
  /// The pixels count in the loader's pool and are stored in the policy's memory tier like those of any image, and the transform is applied
  /// to them. After they are evicted, the closure is called again. No disk tier stores them, whatever the policy says, because they can be
  /// made again. `reload()` calls the closure again; if that fails, the current image stays.
  ///
  /// An error that the closure throws fails the image with `.unreadable`, unless it is a ``FutureImage/FutureImage/Failure``: a transient
  /// failure is retried by the loader's ``FutureImage/RetryPolicy``. A `CancellationError` fails the image with `.cancelled`.
  /// - Parameters:
  ///   - key: the name of the image in memory. Futures of the same key show what the closure of any of them returns, so include everything
  ///     that the image depends on: the asset, the page, the second of the video.
  ///   - wholeSize: the size of the whole image in pixels, upright. If nil, the closure is first called for 256 × 256 pixels, when the
  ///     future is created, to learn the proportions; the whole image then counts as 4,096 pixels on its longer side. An image that is
  ///     smaller or larger than those 256 pixels counts as the whole.
  ///   - make: returns the image in the given size in pixels, which has the proportions of the whole image. It may return fewer pixels if
  ///     there are no more; a larger image is reduced. Other proportions fail with `.unreadable`.
  public static func sized(
    key: String, wholeSize: CGSize? = nil, _ make: @escaping @Sendable (_ pixels: CGSize) async throws -> Rendition
  ) -> FutureImage.Source {
    FutureImage.Source(key: Self.key(named: key), origin: .sized(SizedSource(wholeSize: wholeSize, make: make)))
  }
}
