#if canImport(CoreGraphics)
import CoreGraphics
import ImageIO

/// A decoder that uses Apple's ImageIO. It reads the system's formats, and makes reduced images with the orientation applied. It never
/// reports damage, because ImageIO does not report how much is missing.
struct ImageIODecoder: FaultReportingDecoder {
  var limits = FutureImage.DecodingLimits()

  func size(of data: Data) throws -> FutureImage.PixelSize {
    let source = try source(of: data)
    // In a HEIC file with several images, the first image may not be the photo.
    let index = CGImageSourceGetPrimaryImageIndex(source)
    guard let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any],
      let width = properties[kCGImagePropertyPixelWidth] as? Int, let height = properties[kCGImagePropertyPixelHeight] as? Int,
      width > 0, height > 0
    else { throw FutureImage.Failure(.undecodable("its header is broken")) }
    guard max(width, height) <= limits.maxSide, width <= limits.maxPixels / height else {
      let remedy = "raise DecodingLimits.maxPixels if each side has at most \(limits.maxSide)"
      throw FutureImage.Failure(.tooManyPixels("\(width) × \(height) pixels; \(remedy)"))
    }
    let isTurned = (properties[kCGImagePropertyOrientation] as? Int).map { (5...8).contains($0) } ?? false
    return FutureImage.PixelSize(width: isTurned ? height : width, height: isTurned ? width : height)
  }

  func decode(_ data: Data, size: FutureImage.PixelSize, onFault _: (DecodingFault) -> Void) throws -> CGImage {
    guard size.width > 0, size.height > 0, size.width <= limits.maxBytes / 4 / size.height else {
      throw FutureImage.Failure(.tooManyPixels("\(size) pixels at once; request fewer, or raise DecodingLimits.maxBytes"))
    }
    return try draining {
      let source = try source(of: data)
      let index = CGImageSourceGetPrimaryImageIndex(source)
      guard !isCutOff(index, of: source, EndOfData(of: data)) else { throw FutureImage.Failure(.undecodable("it ends early")) }
      return try image(at: index, of: source, size, isMislabeled: IndexedPNG.hasTransparency(data))
    }
  }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> (any FutureImage.Animation)? {
    let source = try source(of: data)
    let count = CGImageSourceGetCount(source)
    guard count > 1, limits.maxFrames > 1 else { return nil }
    let end = EndOfData(of: data)
    var durations: [TimeInterval] = []
    for index in 0..<count {
      // Images without a duration are not frames of an animation, but separate images or pages.
      guard let duration = draining({ duration(at: index, of: source) }) else { return nil }
      guard !isCutOff(index, of: source, end) else { throw FutureImage.Failure(.undecodable("it ends early")) }
      durations.append(duration)
    }
    return ImageIOAnimation(durations, playCount: playCount(of: source)) { [self] index in
      try image(at: index, of: source, size, isMislabeled: IndexedPNG.hasTransparency(data))
    }
  }

  func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? {
    draining {
      // Each call creates a source. A retained source would have to be used on one thread only, and discarded when a body starts again.
      let source = CGImageSourceCreateIncremental([kCGImageSourceShouldCache: false] as CFDictionary)
      CGImageSourceUpdateData(source, beginning as CFData, false)
      guard CGImageSourceGetCount(source) > 0, CGImageSourceGetStatusAtIndex(source, 0) != .statusInvalidData else { return nil }
      return try? image(at: 0, of: source, size, isMislabeled: IndexedPNG.hasTransparency(beginning))
    }
  }

  /// Whether the frame lacks data.
  ///
  /// ImageIO's status of a truncated file is undocumented, so this method uses the status only for formats that `EndOfData` does not know.
  /// The last frame's own status never becomes complete, so the method uses the status of the source for the last frame. For each other
  /// frame, it uses the frame's own status. WebKit's `ImageDecoderCG::frameIsCompleteAtIndex` does the same.
  private func isCutOff(_ index: Int, of source: CGImageSource, _ end: EndOfData) -> Bool {
    guard end == .unknown else { return end == .cutOff }
    let isLast = index == CGImageSourceGetCount(source) - 1
    switch isLast ? CGImageSourceGetStatus(source) : CGImageSourceGetStatusAtIndex(source, index) {
    case .statusIncomplete, .statusUnexpectedEOF, .statusReadingHeader: return true
    default: return false
    }
  }

  /// - Parameter isMislabeled: whether the file is of the kind that `IndexedPNGFault` affects.
  private func image(
    at index: Int, of source: CGImageSource, _ size: FutureImage.PixelSize, isMislabeled: Bool
  ) throws -> CGImage {
    if isMislabeled, IndexedPNGFault.isPresent, let image = IndexedPNGFault.image(at: index, of: source, size) { return image }
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceShouldCacheImmediately: true,
      // The pool counts four bytes per pixel, and image views display standard range unless configured for more.
      kCGImageSourceDecodeRequest: kCGImageSourceDecodeToSDR,
      kCGImageSourceThumbnailMaxPixelSize: max(size.width, size.height)
    ]
    guard let image = CGImageSourceCreateThumbnailAtIndex(source, index, options as CFDictionary) else {
      throw FutureImage.Failure(.undecodable("its pixels are broken"))
    }
    return image.readyForDisplay()
  }

  /// Returns the duration in seconds; nil if the frame declares none. As in browsers, a declared hundredth of a second or less becomes a
  /// tenth.
  private func duration(at index: Int, of source: CGImageSource) -> TimeInterval? {
    let kinds: [(format: CFString, exact: CFString, rounded: CFString)] = [
      (kCGImagePropertyGIFDictionary, kCGImagePropertyGIFUnclampedDelayTime, kCGImagePropertyGIFDelayTime),
      (kCGImagePropertyWebPDictionary, kCGImagePropertyWebPUnclampedDelayTime, kCGImagePropertyWebPDelayTime),
      (kCGImagePropertyPNGDictionary, kCGImagePropertyAPNGUnclampedDelayTime, kCGImagePropertyAPNGDelayTime),
      (kCGImagePropertyHEICSDictionary, kCGImagePropertyHEICSUnclampedDelayTime, kCGImagePropertyHEICSDelayTime),
      (kCGImagePropertyAVISDictionary, kCGImagePropertyHEICSUnclampedDelayTime, kCGImagePropertyHEICSDelayTime)
    ]
    guard let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any] else { return nil }
    for kind in kinds {
      guard let format = properties[kind.format] as? [CFString: Any] else { continue }
      guard let seconds = (format[kind.exact] ?? format[kind.rounded]) as? Double else { continue }
      return seconds < 0.011 ? 0.1 : seconds
    }
    return nil
  }

  /// Returns the number of times that the animation plays; 0 means forever. A GIF without a count plays once. In a GIF, the count is the
  /// number of repetitions, so a GIF with a count of 1 plays twice.
  private func playCount(of source: CGImageSource) -> Int {
    guard let properties = CGImageSourceCopyProperties(source, nil) as? [CFString: Any] else { return 0 }
    if let gif = properties[kCGImagePropertyGIFDictionary] as? [CFString: Any] {
      guard let count = gif[kCGImagePropertyGIFLoopCount] as? Int else { return 1 }
      return count == 0 ? 0 : count + 1
    }
    let kinds: [(format: CFString, count: CFString)] = [
      (kCGImagePropertyWebPDictionary, kCGImagePropertyWebPLoopCount), (kCGImagePropertyPNGDictionary, kCGImagePropertyAPNGLoopCount),
      (kCGImagePropertyHEICSDictionary, kCGImagePropertyHEICSLoopCount), (kCGImagePropertyAVISDictionary, kCGImagePropertyHEICSLoopCount)
    ]
    return kinds.lazy.compactMap { (properties[$0.format] as? [CFString: Any])?[$0.count] as? Int }.first ?? 0
  }

  private func source(of data: Data) throws -> CGImageSource {
    let options = [kCGImageSourceShouldCache: false] as CFDictionary
    guard let source = CGImageSourceCreateWithData(data as CFData, options), CGImageSourceGetCount(source) > 0 else {
      throw FutureImage.Failure(.undecodable("its bytes are of no known image format"))
    }
    return source
  }
}

/// An animation that ImageIO decodes. ImageIO retains the canvas, and does not report how many bytes the canvas has.
private final class ImageIOAnimation: FutureImage.Animation {
  let durations: [TimeInterval]
  let playCount: Int
  private let image: (Int) throws -> CGImage

  init(_ durations: [TimeInterval], playCount: Int, image: @escaping (Int) throws -> CGImage) {
    self.durations = durations
    self.playCount = playCount
    self.image = image
  }

  func frame(at index: Int) throws -> CGImage { try image(index) }
}
#endif
