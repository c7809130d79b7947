extension FutureImage {
  /// Limits beyond which an image is refused. The decoder compares them with the sizes that the image's bytes declare, before it allocates
  /// memory of those sizes. So a few hostile bytes cannot claim gigabytes.
  ///
  /// With these defaults, one decode stays under 400 MB on Linux. There, a progressive JPEG may take five eighths of ``maxBytes`` for its
  /// coefficients, and other formats may use half of ``maxBytes`` in addition to their pixels. On Apple's platforms, ImageIO has its own
  /// rules for such memory.
  public struct DecodingLimits: Sendable, Hashable {
    /// The maximum of width × height of the stored image, and of each frame of an animation. An animation ends before a frame that exceeds
    /// the limit. For ``FutureImage/animatedImage(fitting:)``, it is also the maximum for the total of all frames. The default allows
    /// photos of 108 megapixels, which some phones take.
    public var maxPixels = 120_000_000
    /// The maximum length of the longer side in pixels. A limit above 65,535 counts as 65,535.
    package var maxSide = 65_535
    /// The maximum number of bytes of the decoded pixels at the requested size, with four bytes per pixel.
    public var maxBytes = 256 << 20
    /// The maximum number of frames of ``FutureImage/animatedImage(fitting:)`` and of encoded animations. If an animation has more frames,
    /// the result has only every second, third, or fourth frame. If there are still too many, the result ends early. With a limit of 1, no
    /// animation plays, and the first frame of each animation is a still image.
    public var maxFrames = 500
    /// The maximum number of bytes of all frames of ``FutureImage/animatedImage(fitting:)``. For a larger animation, the result has fewer
    /// pixels, down to a quarter of each side, and then fewer frames. The limit does not apply to views, because they need few frames at a
    /// time.
    public var maxAnimationBytes = 64 << 20
    /// The maximum number of scans of one JPEG. Encoders write about ten. Each scan costs a pass over the whole image, so the limit for a
    /// large image is lower, depending on ``maxPixels``. An image with more scans is refused.
    package var maxScans = 100
    /// The maximum number of bytes for the coefficients of a progressive JPEG. How many bytes a decode needs depends on its size and on the
    /// chroma subsampling.
    ///
    /// | size of the decode | without subsampling | with 4:2:0 |
    /// | --- | --- | --- |
    /// | full | 6 bytes per pixel | 3 bytes per pixel |
    /// | an eighth | a sixty-fourth of the bytes for full size | a third of the bytes for full size |
    /// | a thirty-second or less | a sixty-fourth of the bytes for full size | a sixty-fourth of the bytes for full size |
    ///
    /// The default has room for a photo of 48 megapixels with 4:2:0, which takes 146 MB. Without subsampling, the photo takes 293 MB, so it
    /// is shown only at an eighth of its size or less.
    package var maxCoefficientBytes: Int {
      get { givenCoefficientBytes ?? Int((Double(maxBytes) * 0.625).rounded()) }
      set { givenCoefficientBytes = newValue }
    }
    private var givenCoefficientBytes: Int?
    /// The maximum number of bytes that a decode uses in addition to the decoded pixels. Interlaced PNGs and GIFs, lossless WebPs, AVIFs,
    /// HEICs, the canvas of an animation, and the tables of color profiles need such bytes.
    package var maxHeldBytes: Int {
      get { givenHeldBytes ?? maxBytes / 2 }
      set { givenHeldBytes = newValue }
    }
    private var givenHeldBytes: Int?

    package init() {}
  }
}

extension FutureImage.DecodingLimits {
  /// The part of an animation whose frames can all be in memory within the limits.
  struct Playable: Equatable {
    /// The size of each frame in pixels.
    var size: FutureImage.PixelSize
    /// The number of frames to read, from the first frame of the file.
    var read = 1
    /// The distance between frames to play: the first frame is played, and every `stride`-th frame after it.
    var stride = 1
  }

  private static let longestStride = 4
  private static let smallestFraction = 0.25

  /// Returns the number of frames to read of an animation with `count` frames, and the distance between the frames to play. With these
  /// values, the number of frames to play is within the limit.
  func framesToPlay(of count: Int) -> (read: Int, stride: Int) {
    // An app may set `maxFrames` to `Int.max`, which would overflow in the multiplication.
    let frames = max(1, min(maxFrames, count))
    let read = min(count, frames * Self.longestStride)
    return (read, (read + frames - 1) / frames)
  }

  /// Returns the part of an animation that is within the limits; nil if that part is only a still image.
  ///
  /// With the default limits:
  ///
  /// | frames | size in the file | requested size | played |
  /// | ---: | --- | --- | --- |
  /// | 100 | 400 × 300 | 400 × 300 | 100 of 400 × 300 |
  /// | 120 | 800 × 600 | 800 × 600 | 120 of 431 × 323 |
  /// | 1,000 | 100 × 100 | 100 × 100 | every second, 500 of 100 × 100 |
  /// | 10,000 | 100 × 100 | 100 × 100 | every fourth of the first 2,000 |
  /// | 100 | 3000 × 2000 | 300 × 200 | the first 20 |
  /// - Parameters:
  ///   - count: the number of frames in the file, at least 2.
  ///   - whole: the size of a frame in the file.
  ///   - size: the requested size, at most `whole`.
  func playable(_ count: Int, of whole: FutureImage.PixelSize, at size: FutureImage.PixelSize) -> Playable? {
    let frames = min(maxFrames, count)
    let read = min(framesToPlay(of: count).read, max(0, maxPixels) / max(1, whole.width * whole.height))
    guard read > 1, frames > 1 else { return nil }
    func shown(_ stride: Int) -> Int { (read + stride - 1) / stride }
    func bytes(_ size: FutureImage.PixelSize) -> Int { size.width * size.height * 4 }
    func reduced(by fraction: Double) -> FutureImage.PixelSize {
      FutureImage.PixelSize(width: max(1, Int(Double(size.width) * fraction)), height: max(1, Int(Double(size.height) * fraction)))
    }
    let smallestFrameBytes = bytes(reduced(by: Self.smallestFraction))
    let mostFrames = maxAnimationBytes / smallestFrameBytes
    guard mostFrames > 1 else { return nil }
    var part = Playable(size: size, read: read, stride: (read + frames - 1) / frames)
    while shown(part.stride) > mostFrames { part.stride += 1 }
    let room = Double(maxAnimationBytes) / Double(shown(part.stride))
    if Double(bytes(size)) > room { part.size = reduced(by: max(Self.smallestFraction, (room / Double(bytes(size))).squareRoot())) }
    return part
  }
}

extension ProcessMemory {
  /// The default limits. If one decode could take more than half of the memory, the limits that count bytes are smaller.
  var decodingLimits: FutureImage.DecodingLimits {
    var limits = FutureImage.DecodingLimits()
    let oneDecode = 400 << 20
    guard usable / 2 < oneDecode else { return limits }
    // In very little memory, a sixteenth of each limit remains.
    func part(of bytes: Int) -> Int { max(bytes / 16, Int(Double(bytes) * Double(usable / 2) / Double(oneDecode))) }
    limits.maxBytes = part(of: limits.maxBytes)
    limits.maxAnimationBytes = part(of: limits.maxAnimationBytes)
    return limits
  }

  /// The decoding limits of this process, computed from its memory when this property is first read.
  static let decodingLimitsOfProcess = current.decodingLimits
}
