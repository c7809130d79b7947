extension FutureImage.Placeholder.Content {
  /// Returns the image with a new bitmap. Its rendering mode is `.alwaysOriginal`, because a system button would otherwise draw only its
  /// shape, in the tint color.
  ///
  /// The size of the result in points may differ from the given size, because a few pixels only approximate the aspect ratio. Nevertheless,
  /// the result is a plain `UIImage`, which a view shows in the size that its future knows. The size of a `DecodedImage` would take
  /// precedence over that size.
  /// - Parameters:
  ///   - points: the size in points before the steps of `shape` are applied; nil if the size is not known.
  ///   - shape: the steps that give the awaited image its shape.
  /// - Throws: ``FutureImage/Failure``, also for content that is an image already.
  func render(points: CGSize?, shape: FutureImage.Transform? = nil) throws -> BaseImage {
    let whole = try render(points: points)
    guard let points, let shape else { return whole }
    return try Self.shaped(whole, points, by: shape)
  }

  /// The maximum number of pixels of a placeholder after its transform. If the transform would result in more pixels, it is not applied.
  private static let mostShapedPixels = 1 << 16

  private static func shaped(_ image: BaseImage, _ points: CGSize, by shape: FutureImage.Transform) throws -> BaseImage {
    guard let bitmap = image.cgImage else { return image }
    let plan = FutureImage.Transform.Plan(
      shape, fullSize: FutureImage.PixelSize(width: bitmap.width, height: bitmap.height), points: points)
    guard plan.whole.width * plan.whole.height <= mostShapedPixels,
      let buffer = FutureImage.PixelBuffer(bitmap, scale: CGFloat(bitmap.width) / points.width)
    else { return image }
    let result = try shape.apply(to: buffer, plan, at: .full)
    return try Self.image(result.buffer, CGFloat(result.buffer.width) / result.points.width)
  }

  private func render(points: CGSize?) throws -> BaseImage {
    switch self {
    case .asset, .image: throw FutureImage.Failure(.unreadable("it is an image already; show it as it is"))
    case .color(let color): return try Self.image(of: color, points)
    case .hexColor(let text): return try Self.image(of: HexColor.color(text), points)
    case .blurHash(let text, let aspectRatio):
      let grid = points.map { PlaceholderGrid(covering: $0) } ?? PlaceholderGrid(aspectRatio: aspectRatio ?? 1)
      return try Self.image(BlurHash(text).pixels(grid.size), grid.scale)
    case .thumbHash(let text): return try Self.image(of: ThumbHash(base64: text), points)
    case .dataURL(let text):
      let bitmap = try InlineImage.decode(text)
      let scale = points.map { max(CGFloat(bitmap.width) / $0.width, CGFloat(bitmap.height) / $0.height) }
      return Self.image(bitmap, scale ?? 1)
    }
  }

  private static func image(of hash: ThumbHash, _ points: CGSize?) throws(FutureImage.Failure) -> BaseImage {
    guard let points else { return try image(hash.pixels(hash.size), 1) }
    let grid = PlaceholderGrid(covering: points)
    return try image(hash.pixels(grid.size), grid.scale)
  }

  private static func image(of color: FutureImage.Color, _ points: CGSize?) throws(FutureImage.Failure) -> BaseImage {
    let grid = points.map { PlaceholderGrid(covering: $0) } ?? PlaceholderGrid(aspectRatio: 1)
    let pixel = [color.red, color.green, color.blue, color.alpha].map { UInt8(($0 * 255).rounded()) }
    let bytes = (0..<grid.size.width * grid.size.height).flatMap { _ in pixel }
    return try image(FutureImage.PixelBuffer(width: grid.size.width, height: grid.size.height, bytes: bytes), grid.scale)
  }

  private static func image(_ pixels: FutureImage.PixelBuffer?, _ scale: CGFloat) throws(FutureImage.Failure) -> BaseImage {
    guard let bitmap = pixels?.makeImage() else { throw FutureImage.Failure(.outOfMemory) }
    return image(bitmap, scale)
  }

  private static func image(_ bitmap: CGImage, _ scale: CGFloat) -> BaseImage {
    BaseImage(cgImage: bitmap, scale: scale, orientation: .up).withRenderingMode(.alwaysOriginal)
  }
}

/// A color in hexadecimal digits, as CSS writes it: `#f80`, `#f80c`, `#ff8800`, `#ff8800cc`; the `#` is optional.
enum HexColor {
  /// The length of the longest text in bytes.
  static let longestText = 9

  /// - Throws: ``FutureImage/Failure`` with `.undecodable`.
  static func color(_ text: String) throws(FutureImage.Failure) -> FutureImage.Color {
    let digits = (text.hasPrefix("#") ? text.dropFirst() : text[...]).utf8.compactMap { digit in
      digit < 128 ? Character(Unicode.Scalar(digit)).hexDigitValue : nil
    }
    guard [3, 4, 6, 8].contains(digits.count), text.utf8.count - digits.count == (text.hasPrefix("#") ? 1 : 0) else {
      throw FutureImage.Failure(.undecodable("it is not 3, 4, 6 or 8 hexadecimal digits"))
    }
    let isShort = digits.count < 6
    let levels = isShort ? digits.map { $0 * 17 } : stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    let values = levels.map { Double($0) / 255 }
    return FutureImage.Color(red: values[0], green: values[1], blue: values[2], alpha: values.count == 4 ? values[3] : 1)
  }
}
