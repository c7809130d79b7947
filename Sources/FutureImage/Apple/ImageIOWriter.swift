#if canImport(CoreGraphics)
import CoreGraphics
import ImageIO

func canEncode(_ format: FutureImage.Encoding.Format) -> Bool {
  (CGImageDestinationCopyTypeIdentifiers() as? [String])?.contains(format.type) ?? false
}

/// - Parameter original: the file whose EXIF data is copied if the encoding keeps EXIF data; nil for none.
func makePlatformWriter(
  _ encoding: FutureImage.Encoding, _ size: FutureImage.PixelSize, frames: Int, playCount: Int, exifOf original: Data?
) throws -> any PlatformWriter {
  let name = encoding.format.rawValue.uppercased()
  guard canEncode(encoding.format) else {
    throw FutureImage.Failure(.unsupported("this system does not write \(name); encode it as JPEG or PNG"))
  }
  let data = NSMutableData()
  guard let destination = CGImageDestinationCreateWithData(data, encoding.format.type as CFString, frames, nil) else {
    throw FutureImage.Failure(.outOfMemory)
  }
  var properties: [CFString: Any] = [kCGImageDestinationLossyCompressionQuality: encoding.effectiveQuality]
  if encoding.keepsEXIF, let original { properties.merge(uprightEXIF(of: original)) { own, _ in own } }
  if frames > 1, let keys = encoding.format.animationKeys {
    CGImageDestinationSetProperties(destination, [keys.format: [keys.playCount: playCount]] as CFDictionary)
  }
  return ImageIOWriter(destination: destination, data: data, properties: properties, format: encoding.format, isAnimated: frames > 1)
}

/// A writer that uses ImageIO.
private struct ImageIOWriter: PlatformWriter {
  let destination: CGImageDestination
  let data: NSMutableData
  let properties: [CFString: Any]
  let format: FutureImage.Encoding.Format
  let isAnimated: Bool

  func add(_ bitmap: CGImage, for seconds: TimeInterval) throws {
    // Drawing the image into a buffer converts it to sRGB.
    guard let pixels = FutureImage.PixelBuffer(bitmap, scale: 1)?.withoutAlpha(if: format == .jpeg).makeImage() else {
      throw FutureImage.Failure(.outOfMemory)
    }
    var properties = properties
    if isAnimated, let keys = format.animationKeys { properties[keys.format] = [keys.delay: seconds] }
    CGImageDestinationAddImage(destination, pixels, properties as CFDictionary)
  }

  func finish() throws -> Data {
    guard CGImageDestinationFinalize(destination) else {
      throw FutureImage.Failure(.transformFailed("ImageIO could not encode it; request fewer pixels, or another format"))
    }
    return data as Data
  }
}

extension FutureImage.Encoding.Format {
  /// The uniform type identifier.
  fileprivate var type: String {
    switch self {
    case .jpeg, .png, .avif: "public.\(rawValue)"
    case .webp: "org.webmproject.webp"
    }
  }

  /// The keys of the properties of an animation; nil for JPEG.
  fileprivate var animationKeys: (format: CFString, playCount: CFString, delay: CFString)? {
    switch self {
    case .jpeg: nil
    case .png: (kCGImagePropertyPNGDictionary, kCGImagePropertyAPNGLoopCount, kCGImagePropertyAPNGDelayTime)
    case .webp: (kCGImagePropertyWebPDictionary, kCGImagePropertyWebPLoopCount, kCGImagePropertyWebPDelayTime)
    case .avif: (kCGImagePropertyAVISDictionary, kCGImagePropertyHEICSLoopCount, kCGImagePropertyHEICSDelayTime)
    }
  }
}

extension FutureImage.PixelBuffer {
  /// Returns the pixels composed over white if the argument is true, as for JPEG, which has no alpha. Otherwise, returns them unchanged.
  fileprivate func withoutAlpha(if mustCompose: Bool) -> Self {
    guard mustCompose else { return self }
    var composed = self
    composed.withBytes { bytes in
      for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] != 255 {
        let alpha = Int(bytes[pixel + 3])
        for channel in pixel..<pixel + 3 { bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 255 * (255 - alpha) + 127) / 255) }
        bytes[pixel + 3] = 255
      }
    }
    return composed
  }
}

/// Returns the EXIF data of a file as ImageIO's properties, for an upright image.
private func uprightEXIF(of original: Data) -> [CFString: Any] {
  guard let source = CGImageSourceCreateWithData(original as CFData, nil),
    let properties = CGImageSourceCopyPropertiesAtIndex(source, CGImageSourceGetPrimaryImageIndex(source), nil) as? [CFString: Any]
  else { return [:] }
  var kept: [CFString: Any] = [kCGImagePropertyOrientation: 1]
  for key in [kCGImagePropertyExifDictionary, kCGImagePropertyGPSDictionary] { kept[key] = properties[key] }
  if var tiff = properties[kCGImagePropertyTIFFDictionary] as? [CFString: Any] {
    tiff[kCGImagePropertyTIFFOrientation] = 1
    kept[kCGImagePropertyTIFFDictionary] = tiff
  }
  return kept
}
#endif
