extension FutureImage {
  /// What a picture may ask for before it is refused. Compared with what its bytes declare, before anything of the picture's size is
  /// allocated, so a few hostile bytes cannot claim gigabytes.
  ///
  /// With these defaults one decode stays under 400 MB. ImageIO decodes by rules of its own, and of these takes those on pixels and frames.
  public struct DecodingLimits: Sendable, Hashable {
    /// Width × height of the picture as stored; of an animation those of all its frames, so it takes no longer than the largest picture.
    /// The default has room for the sensors of 108 megapixels that phones have.
    public var pixels = 120_000_000
    /// The longer side in pixels; more than 65,535 is read as that.
    public var side = 65_535
    /// Bytes of the pixels that are made, at the size that is asked for: four for each.
    public var bytes = 256 << 20
    /// Frames of one animation. Of one with more there is the first frame; so 1 is for apps that want no animations.
    public var frames = 500
    /// Bytes of all frames that are made of one animation, at the size that is asked for. Beyond that there is the first frame.
    public var animationBytes = 64 << 20
    /// Scans of one JPEG. Encoders write about ten; each costs a pass over the whole picture, so of large pictures fewer are read, by
    /// `pixels`.
    public var scans = 100
    /// Bytes that a progressive JPEG may need for its coefficients: six a pixel without chroma subsampling, three with 4:2:0. For an eighth
    /// of its size or less it needs a sixty-fourth of that; with 4:2:0 a third, and a sixty-fourth for a thirty-second of its size.
    public var coefficientBytes = 128 << 20
    /// Bytes that have to be held besides the pixels that are made, where a format has it so: interlaced PNGs and GIFs, lossless WebPs,
    /// AVIFs, the canvas of an animation.
    public var heldBytes = 128 << 20

    public init() {}
  }
}
