import Foundation

/// The parts of an archived image: the bitmap as a PNG, and each frame as an upright PNG.
///
/// Frames are not archived as images, because Foundation's archiver on Linux treats equal objects as one object, and an animated image
/// equals its first frame.
struct ImageArchive {
  var bitmap: CGImage?
  var scale: CGFloat
  var orientation: BaseImage.Orientation
  var images: [BaseImage]?
  var duration: TimeInterval = 0

  private enum Key {
    static let bitmap = "UIImagePNG"
    static let scale = "UIImageScale"
    static let orientation = "UIImageOrientation"
    static let frames = "UIImageFrames"
    static let frameScale = "UIImageFrameScale"
    static let duration = "UIImageDuration"
  }

  func write(to coder: NSCoder) {
    if let png = bitmap.flatMap(BaseImage.png) { coder.encode(png as NSData, forKey: Key.bitmap) }
    coder.encode(Double(scale), forKey: Key.scale)
    coder.encode(orientation.rawValue, forKey: Key.orientation)
    guard let images else { return }
    coder.encode(images.compactMap { $0.pngData() as NSData? } as NSArray, forKey: Key.frames)
    coder.encode(Double(images.first?.scale ?? 1), forKey: Key.frameScale)
    coder.encode(duration, forKey: Key.duration)
  }
}

extension ImageArchive {
  /// Reads an archive. Missing or invalid values become those of an empty image. The initializer checks whether a key exists before it
  /// decodes an object, because decoding a missing object marks the whole archive as damaged.
  init(reading coder: NSCoder) {
    if coder.containsValue(forKey: Key.bitmap), let png = coder.decodeObject(of: NSData.self, forKey: Key.bitmap) {
      bitmap = BaseImage.stored(png as Data)?.0
    }
    scale = CGFloat(coder.decodeDouble(forKey: Key.scale))
    orientation = BaseImage.Orientation(rawValue: coder.decodeInteger(forKey: Key.orientation)) ?? .up
    guard coder.containsValue(forKey: Key.frames) else { return }
    let frames = coder.decodeObject(of: [NSArray.self, NSData.self], forKey: Key.frames) as? [NSData]
    let frameScale = CGFloat(coder.decodeDouble(forKey: Key.frameScale))
    images = frames?.compactMap { BaseImage(data: $0 as Data, scale: frameScale) }
    duration = coder.decodeDouble(forKey: Key.duration)
  }
}
