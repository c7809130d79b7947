/// The images of placeholders, made on request. The most recently used images are retained, because lists repeat placeholders and models
/// are decoded again. Equal placeholders of one size then have the same image, whose bitmap is uploaded only once.
///
/// Different images never share a bitmap, because two images of one bitmap are equal, and an image view ignores an image that equals its
/// current image.
final class PlaceholderImages: Sendable {
  static let shared = PlaceholderImages()

  private struct Key: Hashable, Sendable {
    let content: FutureImage.Placeholder.Content
    let points: CGSize?
    let shape: FutureImage.Transform?
  }

  private static let countLimit = 128

  private let images: Lock<MemoryCache<Key, BaseImage>>
  private let warnings: DeveloperWarnings

  /// - Parameters:
  ///   - pixelByteLimit: the byte limit for the pixels of all retained images.
  ///   - writeReport: called on the thread that requests an image.
  init(pixelByteLimit: Int = 512 << 10, writeReport: @escaping @Sendable (String) -> Void = { writePlatformLog($0) }) {
    images = Lock(MemoryCache(costLimit: pixelByteLimit, countLimit: Self.countLimit))
    warnings = DeveloperWarnings(write: writeReport)
  }

  /// - Parameters:
  ///   - size: the size in points. A size that no bitmap can have counts as unknown.
  ///   - shape: the steps that give an image of that size its shape; ignored if the size is unknown.
  func image(of placeholder: FutureImage.Placeholder, size: CGSize?, _ shape: FutureImage.Transform? = nil) -> BaseImage? {
    do {
      let size = size.flatMap { Self.isArea($0) ? $0 : nil }
      return try image(placeholder.content, size, size.flatMap { _ in shape })
    } catch {
      report(error, placeholder.content)
      return nil
    }
  }

  private func image(
    _ content: FutureImage.Placeholder.Content, _ points: CGSize?, _ shape: FutureImage.Transform?
  ) throws -> BaseImage {
    switch content {
    case .image(let image): return image
    case .asset(let name):
      guard let image = BaseImage(named: name) else {
        throw FutureImage.Failure(.unreadable("there is no asset of that name; add it, or correct the name"))
      }
      return image
    case .color, .hexColor, .blurHash, .thumbHash, .dataURL:
      return try made(Key(content: content, points: points, shape: shape))
    }
  }

  private func made(_ key: Key) throws -> BaseImage {
    if let known = images.withLock({ $0.value(forKey: key) }) { return known }
    let made = try draining { try key.content.render(points: key.points, shape: key.shape) }
    let cost = (made.cgImage.map { $0.width * $0.height } ?? 0) * 4
    // Evicted images are released outside the lock.
    let (image, departed) = images.withLock { images -> (BaseImage, [BaseImage]) in
      // Another thread may have made the image meanwhile.
      if let known = images.value(forKey: key) { return (known, []) }
      return (made, images.insert(made, forKey: key, cost: cost))
    }
    withExtendedLifetime(departed) {}
    return image
  }

  /// Returns whether a bitmap with a finite scale can have that size in points.
  private static func isArea(_ size: CGSize) -> Bool {
    [size.width, size.height].allSatisfy { $0.isFinite && (1e-3...1e6).contains($0) }
  }

  private func report(_ error: any Error, _ content: FutureImage.Placeholder.Content) {
    let (kind, text) = content.description
    let placeholder = "\(kind) \(String(text.prefix(100)).debugDescription)"
    // Asset names come from the app's code; all other contents may come from a feed.
    let isNamed = if case .asset = content { true } else { false }
    warnings.report(
      "FutureImage: there is no placeholder image for the \(placeholder): \(advice(error, kind)). "
        + (isNamed ? "It is reported once." : "Only the first such \(kind) is reported."),
      once: isNamed ? placeholder : kind)
  }

  private func advice(_ error: any Error, _ kind: String) -> String {
    let reason = reason(error)
    return reason.contains("; ") ? reason : "\(reason); correct the \(kind)"
  }

  private func reason(_ error: any Error) -> String {
    switch (error as? FutureImage.Failure)?.reason {
    // An app cannot raise these limits.
    case .tooManyPixels: "it has more than \(InlineImage.mostPixels) pixels, or takes too much memory; make it smaller"
    case .outOfMemory: "there is not enough memory for its pixels; release memory"
    default: error.words
    }
  }
}

extension FutureImage.Placeholder.Content {
  fileprivate var description: (kind: String, text: String) {
    switch self {
    case .asset(let name): ("asset", name)
    case .image: ("image", "")
    case .color(let color): ("color", "\(color)")
    case .hexColor(let text): ("hexadecimal color", text)
    case .blurHash(let text, _): ("BlurHash", text)
    case .thumbHash(let text): ("ThumbHash", text)
    // If the text is not a data URL, it is not written to the log, because another URL may contain credentials.
    case .dataURL(let text): ("data URL", text.hasPrefix("data:") ? text : "…")
    }
  }
}
