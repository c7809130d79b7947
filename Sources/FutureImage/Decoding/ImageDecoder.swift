extension FutureImage {
  /// Turns encoded bytes into pixels: on the loader's decoding queue, several at once.
  public protocol ImageDecoder: Sendable {
    /// The picture's size in pixels, orientation applied, from its header alone. Asked on any thread, that of the fetcher among them, so
    /// it must be quick.
    /// - Throws: ``FutureImage/Failure``: `.undecodable`, `.unsupported`, `.tooManyPixels` or `.outOfMemory`.
    func size(of data: Data) throws -> PixelSize
    /// The picture upright, reduced to that size in pixels while it is decoded, so that no more memory is used than needed.
    /// - Parameters:
    ///   - data: the whole file.
    ///   - size: at most the picture's own size.
    /// - Throws: ``FutureImage/Failure`` as above; a picture whose bytes end early is `.undecodable`.
    func decode(_ data: Data, size: PixelSize) throws -> CGImage
    /// The frames of an animated picture, each upright and of that size in pixels.
    /// - Parameters:
    ///   - data: the whole file.
    ///   - size: at most the picture's own size.
    /// - Returns: nil for a still one, and for one of more frames than are allowed: then the picture is what `decode` gives.
    /// - Throws: ``FutureImage/Failure`` as above.
    func animation(of data: Data, size: PixelSize) throws -> Animation?
    /// What can be seen of a picture whose bytes are still coming, upright and of that size in pixels; what has not come is transparent.
    /// Asked only for views that show interims: see ``Presentation/Interims``.
    /// - Parameters:
    ///   - beginning: the bytes so far; they may end anywhere.
    ///   - size: at most the picture's own size.
    /// - Returns: nil while nothing can be seen.
    func interim(of beginning: Data, size: PixelSize) throws -> CGImage?
  }
}

extension FutureImage.ImageDecoder {
  /// None: for decoders of still pictures.
  public func animation(of data: Data, size: FutureImage.PixelSize) throws -> FutureImage.Animation? { nil }

  /// None: for decoders that need all bytes.
  public func interim(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? { nil }
}
