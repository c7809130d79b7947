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
      let resize = Transform.resize(toPixels: size, mode, enlarges: enlarges)
      // A future without a source has no loader, so the work runs on the caller's thread.
      guard let descriptor = future.descriptor else { return try image.resized(by: resize, StandardDecoder()) }
      let loader = descriptor.loader
      let resized = try await loader.decoding.run { try image.resized(by: resize, loader.configuration.decoder) }
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
  /// reports ``Loader/Event/reducedAnimation(frames:of:width:height:)``. A frame with a longer duration occurs several times, because
  /// `UIImage` shows each of its images for the same duration. No cache stores the result. The frames are decoded on the loader's decoding
  /// queue.
  /// - Parameter fitting: the pixels that are needed.
  /// - Returns: an animated image; the image itself if it is not an animation.
  /// - Throws: the reason why the image did not load, or `.tooManyPixels` if the limits do not allow even two frames.
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
}

extension BaseImage {
  /// Returns the image with resized pixels. Each pixel of the result is a point.
  /// - Parameters:
  ///   - resize: the resize; nil to get the pixels as they are.
  ///   - decoder: a decoder of PNGs, for an image that is not upright.
  func resized(by resize: FutureImage.Transform?, _ decoder: any FutureImage.ImageDecoder) throws -> BaseImage {
    guard let pixels = try uprightPixels(by: decoder) else {
      throw FutureImage.Failure(.transformFailed("it has no pixels; use an image with pixels"))
    }
    guard let resize else { return BaseImage(cgImage: pixels) }
    // The plan needs the size of the whole image, because rounding changes the aspect ratio of a reduced image.
    let fullSize = imageOrientation == .up ? naturalSize : FutureImage.PixelSize(width: pixels.width, height: pixels.height)
    let plan = FutureImage.Transform.Plan(resize, fullSize: fullSize, points: nil)
    let scale = CGFloat(pixels.width) / CGFloat(fullSize.width)
    return BaseImage(cgImage: try resize.apply(to: pixels, scale: scale, plan, at: .full).image)
  }

  /// Returns the bitmap of the image in its upright orientation. The library's images are upright, but an image from an app's own cache may
  /// not be.
  private func uprightPixels(by decoder: any FutureImage.ImageDecoder) throws -> CGImage? {
    guard imageOrientation != .up, let data = uprightPNG(of: self) else { return cgImage }
    return try decoder.decode(data, size: decoder.size(of: data))
  }
}

extension FutureImage.Fitting {
  /// Creates a fitting of the pixels that a resize to a box needs. If a side is not positive, the resize needs all pixels.
  init(_ size: FutureImage.PixelSize, _ mode: FutureImage.Transform.ResizeMode) {
    switch mode {
    case _ where size.width <= 0 || size.height <= 0: self = .full
    case .fit: self = .fit(size)
    case .fill, .stretch: self = .fill(size)
    }
  }
}
