import FutureImage

/// A generated image for tests, and its encoded bytes, which are the data that a server would send. So a test needs neither a server nor a
/// file.
///
///     fetcher.resolve(with: TestImage(width: 64, height: 48, color: .red).jpeg)
///
/// The same arguments always produce the same pixels. The bytes of a JPEG or PNG come from the platform's encoders and may differ between
/// systems. The bytes of a GIF do not differ.
public struct TestImage: Sendable, Hashable {
  /// An opaque color with 8 bits per channel, in sRGB.
  public struct Color: Sendable, Hashable {
    /// The red channel, 0 to 255.
    public var red: UInt8
    /// The green channel, 0 to 255.
    public var green: UInt8
    /// The blue channel, 0 to 255.
    public var blue: UInt8

    /// Creates a color from its channels, each from 0 to 255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Red: 220, 40, 40.
    public static let red = Color(red: 220, green: 40, blue: 40)
    /// Green: 40, 160, 60.
    public static let green = Color(red: 40, green: 160, blue: 60)
    /// Blue: 40, 80, 220.
    public static let blue = Color(red: 40, green: 80, blue: 220)
    /// Gray: 128, 128, 128.
    public static let gray = Color(red: 128, green: 128, blue: 128)
  }

  enum Content: Hashable {
    case color(Color)
    case noise(seed: UInt64)
  }

  /// The width in pixels, 1 to 16,384.
  public let width: Int
  /// The height in pixels, 1 to 16,384.
  public let height: Int
  let content: Content

  /// Creates an image of one color, whose files are small.
  /// - Parameters:
  ///   - width: in pixels, clamped to 1...16,384.
  ///   - height: in pixels, clamped to 1...16,384.
  ///   - color: the color of every pixel.
  public init(width: Int = 64, height: Int = 48, color: Color = .gray) {
    self.init(width, height, .color(color))
  }

  /// Creates an image of noise, for tests that need a long response body. No encoder can make it small.
  /// - Parameters:
  ///   - width: in pixels, clamped to 1...16,384.
  ///   - height: in pixels, clamped to 1...16,384.
  ///   - noiseSeed: the seed of the noise. Different seeds produce different pixels.
  public init(width: Int = 64, height: Int = 48, noiseSeed: UInt64) {
    self.init(width, height, .noise(seed: noiseSeed))
  }

  private init(_ width: Int, _ height: Int, _ content: Content) {
    self.width = max(1, min(width, 16_384))
    self.height = max(1, min(height, 16_384))
    self.content = content
  }

  /// The pixels as a `UIImage` at scale 1, without encoding.
  public var image: BaseImage { pixels?.makeImage().map { BaseImage(cgImage: $0) } ?? BaseImage() }

  /// A JPEG of quality 0.9. Its colors differ a little from the given colors.
  public var jpeg: Data { image.jpegData(compressionQuality: 0.9) ?? Data() }

  /// A PNG with exactly the given colors.
  public var png: Data { image.pngData() ?? Data() }

  /// A GIF of one frame. Noise is reduced to 256 colors.
  public var gif: Data { Self.gif(frames: [self], frameDuration: .zero) }

  /// Returns an animated GIF that plays forever.
  /// - Parameters:
  ///   - frames: the frames, each drawn in the size of the first frame.
  ///   - frameDuration: the duration of each frame, with a precision of a hundredth of a second. Viewers show very short frames for longer.
  public static func gif(frames: [TestImage], frameDuration: Duration) -> Data {
    GIFWriter.file(frames, frameDuration)
  }

  private var pixels: FutureImage.PixelBuffer? {
    var pixels = FutureImage.PixelBuffer(width: width, height: height)
    pixels?.withBytes { bytes in
      var colors = PixelColors(content)
      for start in stride(from: 0, to: bytes.count, by: 4) {
        let color = colors.next()
        (bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]) = (color.red, color.green, color.blue, 255)
      }
    }
    return pixels
  }
}
