extension FutureImage {
  /// A type that decodes bytes into pixels, on the loader's decoding queue, several images at once.
  public protocol ImageDecoder: Sendable {
    /// Returns the image's size in pixels, with its orientation applied, from its header alone. Called on any thread, including the
    /// fetcher's, so it must be quick.
    /// - Throws: ``FutureImage/Failure``: `.undecodable`, `.unsupported`, `.tooManyPixels` or `.outOfMemory`.
    func size(of data: Data) throws -> PixelSize
    /// Returns the image upright, reduced to the given size in pixels during the decode, so that the decode uses no more memory than
    /// needed.
    /// - Parameters:
    ///   - data: the whole file.
    ///   - size: at most the image's own size.
    /// - Throws: ``FutureImage/Failure`` for the same reasons as `size(of:)`. If the bytes of the image end early, the reason is
    ///   `.undecodable`.
    func decode(_ data: Data, size: PixelSize) throws -> CGImage
    /// Opens an animated image, whose frames are then decoded one at a time, each upright and of the given size in pixels.
    /// - Parameters:
    ///   - data: the whole file.
    ///   - size: at most the image's own size.
    /// - Returns: nil for a still image. A decoder that supports no animations always returns nil. After nil, the loader uses the result of
    ///   `decode`.
    /// - Throws: ``FutureImage/Failure`` for the same reasons as `size(of:)`.
    func animation(of data: Data, size: PixelSize) throws -> (any Animation)?
    /// Returns the part of an image that has arrived, upright, in a bitmap of the given size in pixels. The missing part is transparent.
    /// Called only for views that show previews (see ``Presentation/previewInterval``).
    /// - Parameters:
    ///   - beginning: the bytes that have arrived so far. They may end anywhere.
    ///   - size: at most the image's own size.
    /// - Returns: nil while there is nothing to show.
    func preview(of beginning: Data, size: PixelSize) throws -> CGImage?
  }
}

extension FutureImage.ImageDecoder {
  /// Returns nil, for decoders of still images.
  public func animation(of data: Data, size: FutureImage.PixelSize) throws -> (any FutureImage.Animation)? { nil }

  /// Returns nil, for decoders that need all bytes.
  public func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? { nil }
}
