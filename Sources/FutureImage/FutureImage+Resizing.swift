extension FutureImage {
  /// Returns the image at an exact size in pixels, for a file or a server's response.
  ///
  ///     let thumbnail = try await photo.value(resizedTo: FutureImage.PixelSize(width: 320, height: 240), .fill)
  ///
  /// ``value(fitting:confirmed:)`` returns the image in one of a few sizes that views share, usually with more pixels than requested. This
  /// method resizes that image with a filter, off the main thread. The size of the result follows the rules of
  /// ``Transform/resize(toPixels:_:enlarges:)``. If a side of `size` is not positive, the image is not resized. Each pixel of the result is
  /// a point. The result of an animated image is its first frame. No cache stores the result.
  /// - Parameters:
  ///   - size: the box, in pixels.
  ///   - mode: `.fit` to get the whole image inside the box, `.fill` to cover the box and cut off the parts beyond it.
  ///   - enlarges: whether an image with fewer pixels is enlarged. If not, the result may be smaller than the box.
  /// - Throws: the reason why the image did not load, or `.transformFailed`.
  public func value(
    resizedTo size: PixelSize, _ mode: Transform.ResizeMode = .fit, enlarges: Bool = false
  ) async throws(Failure) -> BaseImage {
    let future = root
    let image = try await future.value(fitting: Fitting(size, mode))
    do {
      let resize = Resize(size, mode, enlarges: enlarges)
      // A future without a source has no loader, so the work runs on the caller's thread.
      guard let descriptor = future.descriptor else { return try resize.image(of: image, by: StandardDecoder()) }
      let loader = descriptor.loader
      let resized = try await loader.decoding.run { try resize.image(of: image, by: loader.configuration.decoder) }
      return descriptor.appearance?.changes.reduce(resized) { $1.applied(to: $0) } ?? resized
    } catch {
      throw Failure(decoding: error).of(future.key)
    }
  }

  /// Returns the image with all frames of its animation as its `images`, for a view that cannot be bound.
  ///
  ///     button.setImage(try await photo.animatedImage(fitting: .fit(width: 64, height: 64)), for: .normal)
  ///
  /// All frames are in memory. An animation beyond the limits of ``DecodingLimits`` has fewer pixels or fewer frames, and the loader
  /// reports ``Loader/Event/reducedAnimation(frames:of:width:height:)``. A longer frame occurs several times, because `UIImage` shows all of
  /// its images for the same time. No cache stores the result. The frames are decoded on the loader's decoding queue.
  /// - Parameter fitting: the pixels that are needed.
  /// - Returns: an animated image; the image itself if it is not an animation.
  /// - Throws: the reason why the image did not load, or `.tooManyPixels` if two frames exceed the limits.
  public func animatedImage(fitting: Fitting = .full) async throws(Failure) -> BaseImage {
    let future = root
    let image = try await future.value(fitting: fitting)
    guard let feed = image.feed, let descriptor = future.descriptor else { return image }
    let loader = descriptor.loader
    do {
      let animated = try await loader.decoding.run { try feed.animatedImage(loader) }
      return descriptor.appearance?.changes.reduce(animated) { $1.applied(to: $0) } ?? animated
    } catch {
      throw Failure(decoding: error).of(future.key)
    }
  }

  /// A resize of decoded pixels.
  private struct Resize: Sendable {
    let transform: Transform

    init(_ size: PixelSize, _ mode: Transform.ResizeMode, enlarges: Bool) {
      transform = .resize(toPixels: size, mode, enlarges: enlarges)
    }

    /// - Parameter image: an image with at least the pixels that are needed.
    func image(of image: BaseImage, by decoder: any ImageDecoder) throws -> BaseImage {
      guard let pixels = try upright(image, by: decoder) else {
        throw Failure(.transformFailed("it has no pixels; use an image with pixels"))
      }
      // The plan needs the size of the whole image, because rounding changes the aspect ratio of a reduced image.
      let fullSize = image.imageOrientation == .up ? image.naturalSize : PixelSize(width: pixels.width, height: pixels.height)
      let plan = Transform.Plan(transform, fullSize: fullSize, points: nil)
      let scale = CGFloat(pixels.width) / CGFloat(fullSize.width)
      guard let buffer = PixelBuffer(pixels, scale: scale),
        let resized = try transform.apply(to: buffer, plan, at: .full).buffer.makeImage()
      else { throw Failure(.transformFailed("there is not enough memory for the result; release memory, or request fewer pixels")) }
      return BaseImage(cgImage: resized)
    }

    /// Returns the bitmap of the image in its upright orientation. The library's images are upright, but an image from an app's own cache
    /// may not be.
    private func upright(_ image: BaseImage, by decoder: any ImageDecoder) throws -> CGImage? {
      guard image.imageOrientation != .up, let data = uprightPNG(of: image) else { return image.cgImage }
      return try decoder.decode(data, size: decoder.size(of: data))
    }
  }
}

extension FutureImage.Fitting {
  /// Creates a fitting of the pixels that a resize to a box needs. If a side is not positive, the resize needs all pixels.
  fileprivate init(_ size: FutureImage.PixelSize, _ mode: FutureImage.Transform.ResizeMode) {
    switch mode {
    case _ where size.width <= 0 || size.height <= 0: self = .full
    case .fit: self = .fit(size)
    case .fill, .stretch: self = .fill(size)
    }
  }
}
