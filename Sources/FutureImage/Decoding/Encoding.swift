extension FutureImage {
  /// The way in which an image is encoded: its format, its quality, and whether the file retains the EXIF data of the original.
  ///
  ///     let thumbnail = try await photo.encoded(resizedTo: FutureImage.PixelSize(width: 320, height: 320), as: .webp)
  public struct Encoding: Sendable, Hashable {
    /// A format of image files.
    public enum Format: String, Sendable, CaseIterable {
      /// JPEG, for photos. It has neither transparency nor animations.
      case jpeg
      /// PNG, without loss.
      case png
      /// WebP, with loss.
      case webp
      /// AVIF, with loss.
      case avif

      /// The media type, such as `image/webp`, for the field `Content-Type`.
      public var mimeType: String { "image/\(rawValue)" }

      /// Whether this platform can write the format. Linux writes JPEG, PNG, and WebP, and also AVIF if libavif and an encoder for it are
      /// installed. Apple's platforms write the formats of ImageIO, which does not write WebP.
      public var isAvailable: Bool { canEncode(self) }
    }

    /// The format of the file.
    public var format: Format
    /// The quality from 0 (smallest) to 1 (best); nil for the format's default. PNG has no loss, and ignores the quality.
    ///
    /// | format | default |
    /// | --- | --- |
    /// | JPEG | 0.8 |
    /// | WebP | 0.8 |
    /// | AVIF | 0.6 |
    public var quality: Double?
    /// Whether the result has the EXIF data of the original, such as its camera, its date, and **the place where it was taken**. In the
    /// EXIF data of the result, the orientation is upright, and there is no thumbnail.
    public var keepsEXIF: Bool

    /// Creates an encoding. By default, the result has pixels and no other data of the original.
    public init(_ format: Format, quality: Double? = nil, keepsEXIF: Bool = false) {
      self.format = format
      self.quality = quality
      self.keepsEXIF = keepsEXIF
    }

    /// JPEG, which has no transparency. Pixels with alpha are composed over white. An animation becomes its first frame.
    public static let jpeg = Encoding(.jpeg)
    /// PNG. An animation becomes an animated PNG.
    public static let png = Encoding(.png)
    /// WebP with loss. An animation stays an animation.
    public static let webp = Encoding(.webp)
    /// AVIF. An animation stays an animation.
    public static let avif = Encoding(.avif)

    /// The quality that applies, from 0 to 1.
    var effectiveQuality: Double {
      guard let quality, quality.isFinite else { return format == .avif ? 0.6 : 0.8 }
      return min(max(quality, 0), 1)
    }
  }

  /// An image as the bytes of an image file.
  public struct EncodedImage: Sendable {
    /// The bytes of the file.
    public let data: Data
    /// The format of the file.
    public let format: Encoding.Format
    /// The width and height in pixels.
    public let size: PixelSize
  }
}

/// A writer of one image, or of the frames of an animation, into the bytes of a file. It is used on one thread at a time.
protocol PlatformWriter {
  /// Adds an image or a frame. All frames have the size for which the writer was created.
  mutating func add(_ bitmap: CGImage, for seconds: TimeInterval) throws
  /// Returns the file. Call it once, after the last image.
  mutating func finish() throws -> Data
}
