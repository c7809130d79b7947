extension FutureImage.Source {
  /// An image in one size, as the closure of a sized source returns it.
  public enum Rendition: Sendable {
    /// The pixels of an image, turned upright. For an animated image, the pixels that it shows first.
    case image(BaseImage)
    /// An encoded image, in any format that the loader's decoder reads. It may be larger than requested, because it is decoded in the
    /// needed size.
    case bytes(Data)
  }

  /// An image that the app can make in any size, such as from a photo library, a video, a PDF, or a drawing.
  ///
  /// ```swift
  /// FutureImage(
  ///   .sized(key: asset.localIdentifier, wholeSize: CGSize(width: asset.pixelWidth, height: asset.pixelHeight)) { pixels in
  ///     .image(try await library.image(of: asset, fitting: pixels))
  ///   })
  /// ```
  ///
  /// When a view shows the future or code awaits it, the closure runs in a task with the needed size, once for all futures of the key that
  /// need the same size. Each size is rounded up to one of eleven sizes, from a sixty-fourth of the whole image to the whole image. So
  /// views of nearly the same size share one call. When no request needs the size any more, the task is canceled. Any number of calls may
  /// run at once.
  ///
  /// As for any image, the loader's pool retains the pixels, the policy's memory tier stores them, and the transform is applied to them.
  /// After the pixels are evicted, the closure is called again. No disk tier stores the pixels, whatever the policy is, because they can be
  /// made again. `reload()` calls the closure again. If that fails, the current image stays.
  ///
  /// If the closure throws an error, the image fails with `.unreadable`. If it throws a ``FutureImage/FutureImage/Failure``, the image
  /// fails with that failure, and a transient failure is retried by the loader's ``FutureImage/RetryPolicy``. A `CancellationError` fails
  /// the image with `.cancelled`.
  /// - Parameters:
  ///   - key: the name of the image in memory. Futures of the same key show the image that any of their closures returns, so the key must
  ///     include everything that the image depends on: the asset, the page, the second of the video.
  ///   - wholeSize: the size of the whole upright image in pixels. If nil, the closure is first called with 256 × 256 pixels when the
  ///     future is created, to learn the proportions. The longer side of the whole image is then assumed to be 4,096 pixels. But if the
  ///     longer side of the returned image has neither 256 pixels nor 256 points, give or take two, that image counts as the whole image.
  ///   - make: a closure that returns the image in the given size. The size is in pixels, and has the proportions of the whole image. The
  ///     closure may return a smaller image if there are no more pixels, and a larger image is reduced. An image of other proportions fails
  ///     with `.unreadable`.
  public static func sized(
    key: String, wholeSize: CGSize? = nil, _ make: @escaping @Sendable (_ pixels: CGSize) async throws -> Rendition
  ) -> FutureImage.Source {
    FutureImage.Source(key: Self.key(named: key), origin: .sized(SizedSource(wholeSize: wholeSize, make: make)))
  }
}
