extension FutureImage.Source {
  /// A picture in one size, as the closure of a sized source gives it.
  public enum Rendition: Sendable {
    /// The pixels of an image, turned upright. Of an animated image those that it shows first.
    case image(UIImage)
    /// The pixels as they are, upright.
    case pixels(CGImage)
    /// An encoded picture, in any format that the loader's decoder reads. It may be larger than asked for: it is decoded in the size that is
    /// needed.
    case bytes(Data)
  }

  /// A picture that something else can make in any size: a photo library, a video, a PDF, a drawing.
  ///
  /// ```swift
  /// FutureImage(
  ///   .sized(key: asset.localIdentifier, wholeSize: CGSize(width: asset.pixelWidth, height: asset.pixelHeight)) { pixels in
  ///     .image(try await library.image(of: asset, fitting: pixels))
  ///   })
  /// ```
  ///
  /// Nothing is made until a view shows the future or somebody awaits it. Then the closure runs in a task, with the size that is needed, and
  /// once for all futures of the key that need the same size. Sizes are rounded up to one of eleven, from a sixty-fourth to all of the whole
  /// picture, so views of nearly the same size share one call. When nobody needs the size any more, the task is canceled. Any number of
  /// calls may run at once.
  ///
  /// Pixels count in the loader's pool and go to the policy's memory tier like those of any picture, and the transform is applied to them.
  /// When they were let go, the closure is called again. No disk tier stores them, whatever the policy says: they can be made again.
  /// `reload()` calls the closure anew; if it fails then, the picture that is there stays.
  ///
  /// An error that the closure throws fails the picture with `.unreadable`, unless it is a ``FutureImage/FutureImage/Failure``: a transient one
  /// is tried again by the loader's ``FutureImage/RetryPolicy``. A `CancellationError` fails it with `.cancelled`.
  /// - Parameters:
  ///   - key: names the picture in memory. Futures of the same key show what the closure of any of them gives, so put into it all that the
  ///     picture depends on: the asset, the page, the second of the video.
  ///   - wholeSize: the whole picture's size in pixels, upright. If nil, the closure is first called for 256 × 256 pixels, when the future is
  ///     made, to learn the proportions; the whole then counts as a picture of 4,096 pixels on its longer side. A picture that comes smaller
  ///     or larger than those 256 pixels counts as the whole.
  ///   - make: gives the picture in that size in pixels, which has the proportions of the whole picture. It may give fewer pixels if there are
  ///     no more; more are reduced. Other proportions fail with `.unreadable`.
  public static func sized(
    key: String, wholeSize: CGSize? = nil, _ make: @escaping @Sendable (_ pixels: CGSize) async throws -> Rendition
  ) -> FutureImage.Source {
    FutureImage.Source(key: Self.key(named: key), origin: .sized(SizedSource(wholeSize: wholeSize, make: make)))
  }
}
