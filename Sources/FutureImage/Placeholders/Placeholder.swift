extension FutureImage {
  /// An image to show until the future's image arrives, made without a network: an asset, a color, or a few bytes that came with the model.
  ///
  ///     let placeholder = FutureImage.Placeholder.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
  ///     let image = placeholder.image(size: CGSize(width: 300, height: 200))
  ///
  /// Creating a placeholder decodes nothing; ``image(size:)`` does. Two placeholders are equal if they were created from equal values.
  /// Those of images are equal if the images have the same bitmap.
  public struct Placeholder: Sendable, Hashable {
    let content: Content

    enum Content: Sendable, Hashable {
      case asset(String)
      case image(UIImage)
      case color(Color)
      case hexColor(String)
      case blurHash(String, aspectRatio: Double?)
      case thumbHash(String)
      case thumbHashBytes(Data)
      case dataURL(String)
    }

    private init(_ content: Content) {
      self.content = content
    }

    /// The image of that name among the app's assets, with its variants for dark mode and other traits.
    public static func named(_ name: String) -> Placeholder { Placeholder(.asset(name)) }

    /// An image that the app already has.
    public static func image(_ image: UIImage) -> Placeholder { Placeholder(.image(image)) }

    /// A single color, converted as for ``Transform/tint(_:)``.
    public static func color(_ color: UIColor) -> Placeholder { self.color(Color(color)) }

    static func color(_ color: Color) -> Placeholder { Placeholder(.color(color)) }

    /// A single color, as feeds write it.
    /// - Parameter hex: three, four, six or eight hexadecimal digits in the order red, green, blue, alpha, as in CSS; a `#` in front is
    ///   optional.
    public static func color(hex: String) -> Placeholder { Placeholder(.hexColor(hex.truncated(toBytes: HexColor.longestText))) }

    /// A blurred image of up to 9 × 9 components, as [BlurHash](https://github.com/woltapp/blurhash) encodes it.
    /// - Parameters:
    ///   - text: the hash in base 83, 6 to 166 characters.
    ///   - aspectRatio: the width divided by the height, which a BlurHash does not contain, for images whose size is not known; a square if
    ///     nil. A ratio beyond 1:32 or 32:1 is limited to that.
    public static func blurHash(_ text: String, aspectRatio: Double? = nil) -> Placeholder {
      let aspectRatio = aspectRatio.flatMap { $0 > 0 ? min(max($0, 1 / 32), 32) : nil }
      return Placeholder(.blurHash(text.truncated(toBytes: BlurHash.longestText), aspectRatio: aspectRatio))
    }

    /// A blurred image with its aspect ratio and alpha, as [ThumbHash](https://github.com/evanw/thumbhash) encodes it.
    /// - Parameter text: the hash in base64 or URL-safe base64, with or without padding.
    public static func thumbHash(_ text: String) -> Placeholder { Placeholder(.thumbHash(text.truncated(toBytes: ThumbHash.longestText))) }

    /// A blurred image with its aspect ratio and alpha, as [ThumbHash](https://github.com/evanw/thumbhash) encodes it.
    public static func thumbHash(_ bytes: Data) -> Placeholder {
      Placeholder(.thumbHashBytes(Data(bytes.prefix(ThumbHash.longestHash + 1))))
    }

    /// A tiny image in a `data:` URL, in any format that the platform decodes.
    /// - Parameter text: at most 4 KiB, for an image of at most 256 × 256 pixels.
    public static func dataURL(_ text: String) -> Placeholder { Placeholder(.dataURL(text.truncated(toBytes: InlineImage.longestText))) }

    /// Returns the image, decoded and ready to be displayed. Any thread; takes far less than a millisecond for hashes and colors.
    ///
    /// An asset and an app's image are returned unchanged. All others have at most 32 pixels on the longer side (a data URL's image has its
    /// own), however large `size` is: their scale gives them that size in points. For equal placeholders and sizes, the result is usually
    /// the same object.
    /// - Parameter size: the size in points of the awaited image; nil if it is not known, for an image of one pixel per point.
    /// - Returns: nil if there is no such asset, or if the text cannot be decoded. The log says why, once for each kind of placeholder.
    public func image(size: CGSize? = nil) -> UIImage? { PlaceholderImages.shared.image(of: self, size: size) }
  }
}

extension String {
  /// Returns the text or, if it is too long, its beginning, one byte longer than the limit: as unusable as the whole, and never large.
  fileprivate func truncated(toBytes limit: Int) -> String {
    utf8.count <= limit ? self : String(decoding: utf8.prefix(limit + 1), as: UTF8.self)
  }
}
