extension FutureImage {
  /// Limits beyond which an image is refused. They are compared with the declarations in its bytes, before anything of the image's size is
  /// allocated, so a few hostile bytes cannot claim gigabytes.
  ///
  /// With these defaults, one decode stays under 400 MB. On Apple's platforms, ``heldBytes`` and ``coefficientBytes`` have no effect, because
  /// ImageIO has its own rules for the memory that it needs besides.
  public struct DecodingLimits: Sendable, Hashable {
    /// Width × height of the stored image; for an animation, the total of all its frames, so it takes no longer than the largest image. The
    /// default has room for the 108-megapixel sensors of phones.
    public var pixels = 120_000_000
    /// The longer side in pixels; more than 65,535 counts as 65,535.
    public var side = 65_535
    /// Bytes of the decoded pixels at the requested size: four per pixel.
    public var bytes = 256 << 20
    /// Frames of one animation. An animation with more shows only its first frame, so 1 is for apps without animations.
    public var frames = 500
    /// Bytes of all decoded frames of one animation at the requested size. A larger animation shows only its first frame.
    public var animationBytes = 64 << 20
    /// Scans of one JPEG. Encoders write about ten. Each costs a pass over the whole image, so fewer are read of large images, by `pixels`.
    public var scans = 100
    /// Bytes that a progressive JPEG may need for its coefficients: six per pixel without chroma subsampling, three with 4:2:0. At an
    /// eighth of its size or less, it needs a sixty-fourth of that; with 4:2:0 a third, and a sixty-fourth at a thirty-second of its size.
    public var coefficientBytes = 128 << 20
    /// Bytes held in addition to the decoded pixels, where a format requires it: interlaced PNGs and GIFs, lossless WebPs, AVIFs, the
    /// canvas of an animation.
    public var heldBytes = 128 << 20

    public init() {}
  }
}
