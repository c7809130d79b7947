import Foundation

extension UIImage {
  /// The stored bitmap and its orientation, as UIKit keeps them.
  static func decoded(_ data: Data) -> (CGImage, Orientation)? {
    guard let info = try? ImageCodecs.info(of: data), let image = try? ImageCodecs.decode(data, applyingOrientation: false) else {
      return nil
    }
    return (image, info.orientation)
  }

  var upright: CGImage? {
    cgImage?.turned(imageOrientation)
  }

  func hasSameContents(as other: UIImage) -> Bool {
    guard scale == other.scale, imageOrientation == other.imageOrientation, duration == other.duration else { return false }
    switch (images, other.images) {
    case (let mine?, let theirs?): return mine.elementsEqual(theirs) { $0.isEqual($1) }
    case (nil, nil): break
    default: return false
    }
    switch (cgImage, other.cgImage) {
    case (let mine?, let theirs?): return mine.hasSamePixels(as: theirs)
    case (nil, nil): return true
    default: return false
    }
  }

  var contentsHash: Int {
    var hasher = Hasher()
    hasher.combine(scale)
    hasher.combine(imageOrientation)
    if let cgImage {
      hasher.combine(cgImage.width)
      hasher.combine(cgImage.height)
      cgImage.withRGBA { bytes in
        for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 16)) { hasher.combine(bytes[index]) }
      }
    }
    return hasher.finalize()
  }
}
