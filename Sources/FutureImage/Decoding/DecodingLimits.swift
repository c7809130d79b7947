extension FutureImage {
  /// Limits beyond which an image is refused. They are compared with the declarations in its bytes, before anything of the image's size is
  /// allocated, so a few hostile bytes cannot claim gigabytes.
  ///
  /// With these defaults, one decode stays under 400 MB. On Apple's platforms, ``heldBytes`` and ``coefficientBytes`` have no effect,
  /// because ImageIO has its own rules for the memory that it needs besides.
  public struct DecodingLimits: Sendable, Hashable {
    /// Width × height of the stored image; for an animation, the total of all its frames, so it takes no longer than the largest image: it
    /// ends where they exceed the limit. The default has room for the 108-megapixel sensors of phones.
    public var maxPixels = 120_000_000
    /// The longer side in pixels; more than 65,535 counts as 65,535.
    public var maxSide = 65_535
    /// Bytes of the decoded pixels at the requested size: four per pixel.
    public var maxBytes = 256 << 20
    /// Frames of one animation. Of an animation with more, every second frame is played, every third, or every fourth; if there are still
    /// too many, it ends early. With 1, the first frame is shown as a still.
    public var maxFrames = 500
    /// Bytes of all decoded frames of one animation at the requested size. A larger animation is played with fewer pixels, down to a
    /// quarter of each side, and then with fewer frames.
    public var maxAnimationBytes = 64 << 20
    /// Scans of one JPEG. Encoders write about ten. Each costs a pass over the whole image, so fewer are read of large images, by `pixels`.
    public var maxScans = 100
    /// Bytes that a progressive JPEG may need for its coefficients: six per pixel without chroma subsampling, three with 4:2:0. At an
    /// eighth of its size or less, it needs a sixty-fourth of that; with 4:2:0 a third, and a sixty-fourth at a thirty-second of its size.
    /// The default has room for a photo of 48 megapixels with 4:2:0, which takes 146 MB. Without subsampling it takes 293 MB, and is shown
    /// only at an eighth of its size or less.
    public var maxCoefficientBytes = 160 << 20
    /// Bytes held in addition to the decoded pixels, where a format requires it: interlaced PNGs and GIFs, lossless WebPs, AVIFs, the
    /// canvas of an animation.
    public var maxHeldBytes = 128 << 20

    public init() {}
  }
}

extension FutureImage.DecodingLimits {
  /// The part of an animation that can be played within limits.
  struct Playable: Equatable {
    /// The size of each frame in pixels.
    var size: FutureImage.PixelSize
    /// The number of the file's frames to read, from the first.
    var read = 1
    /// The frames to play: the first and every `stride`-th after it.
    var stride = 1
  }

  private static let longestStride = 4
  private static let smallestFraction = 0.25

  /// Returns the part of an animation that is within the limits; nil if that is only a still.
  ///
  /// With the default limits:
  ///
  /// | frames | whole | at | played |
  /// | ---: | --- | --- | --- |
  /// | 100 | 400 × 300 | 400 × 300 | 100 of 400 × 300 |
  /// | 120 | 800 × 600 | 800 × 600 | 120 of 431 × 323 |
  /// | 1,000 | 100 × 100 | 100 × 100 | every second, 500 of 100 × 100 |
  /// | 10,000 | 100 × 100 | 100 × 100 | every fourth of the first 2,000 |
  /// | 100 | 3000 × 2000 | 300 × 200 | the first 20 |
  /// - Parameters:
  ///   - count: the number of frames in the file, at least 2.
  ///   - whole: the size of a frame in the file.
  ///   - size: the requested size, at most the whole one.
  func playable(_ count: Int, of whole: FutureImage.PixelSize, at size: FutureImage.PixelSize) -> Playable? {
    // An app may set a limit that no number can exceed.
    let frames = min(maxFrames, count)
    let read = min(count, max(0, maxPixels) / max(1, whole.width * whole.height), frames * Self.longestStride)
    guard read > 1, frames > 1 else { return nil }
    func shown(_ stride: Int) -> Int { (read + stride - 1) / stride }
    func bytes(_ size: FutureImage.PixelSize) -> Int { size.width * size.height * 4 }
    func reduced(by fraction: Double) -> FutureImage.PixelSize {
      FutureImage.PixelSize(width: max(1, Int(Double(size.width) * fraction)), height: max(1, Int(Double(size.height) * fraction)))
    }
    let least = bytes(reduced(by: Self.smallestFraction))
    let most = maxAnimationBytes / least
    guard most > 1 else { return nil }
    var part = Playable(size: size, read: read, stride: (read + frames - 1) / frames)
    while shown(part.stride) > most { part.stride += 1 }
    let room = Double(maxAnimationBytes) / Double(shown(part.stride))
    if Double(bytes(size)) > room { part.size = reduced(by: max(Self.smallestFraction, (room / Double(bytes(size))).squareRoot())) }
    return part
  }
}

extension ProcessMemory {
  /// The default limits. Those that count bytes are smaller if one decode could take more than half of the memory.
  var decodingLimits: FutureImage.DecodingLimits {
    var limits = FutureImage.DecodingLimits()
    let oneDecode = 400 << 20
    guard usable / 2 < oneDecode else { return limits }
    func part(of bytes: Int) -> Int { max(bytes / 16, Int(Double(bytes) * Double(usable / 2) / Double(oneDecode))) }
    limits.maxBytes = part(of: limits.maxBytes)
    limits.maxAnimationBytes = part(of: limits.maxAnimationBytes)
    limits.maxCoefficientBytes = part(of: limits.maxCoefficientBytes)
    limits.maxHeldBytes = part(of: limits.maxHeldBytes)
    return limits
  }

  /// The decoding limits of this process, from its memory when they were first read.
  static let decodingLimitsOfProcess = current.decodingLimits
}
