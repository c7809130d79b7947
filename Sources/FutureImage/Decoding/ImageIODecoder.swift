#if canImport(UIKit)
import CoreGraphics
import ImageIO

/// Apple's ImageIO: reads what the system reads, and makes reduced pictures with the orientation applied.
struct ImageIODecoder: FutureImage.ImageDecoder {
  var maxPixels = 100_000_000

  func size(of data: Data) throws -> FutureImage.PixelSize {
    let source = try source(of: data)
    guard let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any],
      let width = properties[kCGImagePropertyPixelWidth] as? Int, let height = properties[kCGImagePropertyPixelHeight] as? Int,
      width > 0, height > 0
    else { throw FutureImage.Failure(.undecodable("its header is broken")) }
    guard width <= maxPixels / height else { throw FutureImage.Failure(.tooManyPixels("\(width) × \(height)")) }
    let isTurned = (properties[kCGImagePropertyOrientation] as? Int).map { (5...8).contains($0) } ?? false
    return FutureImage.PixelSize(width: isTurned ? height : width, height: isTurned ? width : height)
  }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
    let source = try source(of: data)
    guard CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete else {
      throw FutureImage.Failure(.undecodable("it ends early"))
    }
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceShouldCacheImmediately: true,
      kCGImageSourceThumbnailMaxPixelSize: max(size.width, size.height)
    ]
    guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary) else {
      throw FutureImage.Failure(.undecodable("its pixels are broken"))
    }
    return image
  }

  private func source(of data: Data) throws -> CGImageSource {
    let options = [kCGImageSourceShouldCache: false] as CFDictionary
    guard let source = CGImageSourceCreateWithData(data as CFData, options), CGImageSourceGetCount(source) > 0 else {
      throw FutureImage.Failure(.undecodable("its bytes are of no known picture format"))
    }
    return source
  }
}
#endif
