extension FutureImage {
  /// An image to show until the future's image arrives, made without a network: an asset, a color, or a few bytes that came with the model.
  ///
  ///     FutureImage(at: url, placeholder: .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
  ///
  /// Creating a placeholder decodes nothing. Its image is made when the future is created. Two placeholders are equal if they were created
  /// from equal values. Placeholders made from images are equal if the images have the same bitmap.
  public struct Placeholder: Sendable, Hashable, ExpressibleByStringLiteral {
    let content: Content

    enum Content: Sendable, Hashable {
      case asset(String)
      case image(BaseImage)
      case color(Color)
      case hexColor(String)
      case blurHash(String, aspectRatio: Double?)
      case thumbHash(String)
      case dataURL(String)
    }

    private init(_ content: Content) {
      self.content = content
    }

    /// The image of that name among the app's assets, as for ``named(_:)``. An example is `placeholder: "print"`.
    public init(stringLiteral name: String) { self.init(.asset(name)) }

    /// The image of that name among the app's assets, with its variants for dark mode and other traits. If there is no such asset, the log
    /// states this once.
    public static func named(_ name: String) -> Placeholder { Placeholder(.asset(name)) }

    /// An image that the app already has.
    public static func image(_ image: BaseImage) -> Placeholder { Placeholder(.image(image)) }

    /// A single color, converted as for ``Transform/tint(_:)``.
    public static func color(_ color: FutureImage.PlatformColor) -> Placeholder { self.color(Color(color)) }

    static func color(_ color: Color) -> Placeholder { Placeholder(.color(color)) }

    /// A single color, from a text in a feed.
    /// - Parameter hex: three, four, six or eight hexadecimal digits in the order red, green, blue, alpha, as in CSS; a `#` in front is
    ///   optional.
    public static func color(hex: String) -> Placeholder { Placeholder(.hexColor(hex.truncated(toBytes: HexColor.longestText))) }

    /// A blurred image of up to 9 × 9 components, as [BlurHash](https://github.com/woltapp/blurhash) encodes it.
    /// - Parameters:
    ///   - text: the hash in base 83, 6 to 166 characters.
    ///   - aspectRatio: the width divided by the height, for an image whose size is not known, because a BlurHash does not contain it. If
    ///     nil, the image is square. A ratio beyond 1:32 or 32:1 is limited to that range.
    public static func blurHash(_ text: String, aspectRatio: Double? = nil) -> Placeholder {
      let aspectRatio = aspectRatio.flatMap { $0 > 0 ? min(max($0, 1 / 32), 32) : nil }
      return Placeholder(.blurHash(text.truncated(toBytes: BlurHash.longestText), aspectRatio: aspectRatio))
    }

    /// A blurred image with its aspect ratio and alpha, as [ThumbHash](https://github.com/evanw/thumbhash) encodes it.
    /// - Parameter text: the hash in base64 or URL-safe base64, with or without padding.
    public static func thumbHash(_ text: String) -> Placeholder { Placeholder(.thumbHash(text.truncated(toBytes: ThumbHash.longestText))) }

    /// A tiny image in a `data:` URL, in any format that the platform decodes.
    /// - Parameter text: the URL, at most 4 KiB, of an image with at most 256 × 256 pixels.
    public static func dataURL(_ text: String) -> Placeholder { Placeholder(.dataURL(text.truncated(toBytes: InlineImage.longestText))) }

    /// Returns the image, decoded and ready to be displayed. May be called on any thread. Hashes and colors take far less than a
    /// millisecond.
    ///
    /// An asset and an app's image are returned unchanged. The image of a data URL has the pixels that the URL encodes. All other images
    /// have at most 32 pixels on the longer side. The scale of an image is chosen so that the image has the given size in points, however
    /// large that size is. For equal placeholders and sizes, the result is usually the same object.
    /// - Parameter size: the size of the awaited image in points. If nil, the size is not known, and the result has one pixel per point.
    /// - Returns: nil if there is no such asset, or if the text cannot be decoded. The log states the reason, once for each asset and once
    ///   for each other kind of placeholder.
    func image(size: CGSize? = nil) -> BaseImage? { PlaceholderImages.shared.image(of: self, size: size) }
  }
}

extension String {
  /// Returns the text. If the text exceeds the limit, returns only its beginning, slightly longer than the limit, which is as invalid as
  /// the whole text but never large.
  fileprivate func truncated(toBytes limit: Int) -> String {
    utf8.count <= limit ? self : String(decoding: utf8.prefix(limit + 1), as: UTF8.self)
  }
}
