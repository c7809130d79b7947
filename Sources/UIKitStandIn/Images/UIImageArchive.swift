import Foundation

/// What an archived image consists of: the bitmap as a PNG, and the frames as images of their own.
struct UIImageArchive {
  var bitmap: CGImage?
  var scale: CGFloat
  var orientation: UIImage.Orientation
  var images: [UIImage]?
  var duration: TimeInterval = 0

  private enum Key {
    static let bitmap = "UIImagePNG"
    static let scale = "UIImageScale"
    static let orientation = "UIImageOrientation"
    static let images = "UIImageFrames"
    static let duration = "UIImageDuration"
  }

  func write(to coder: NSCoder) {
    if let png = bitmap.flatMap(ImageCodecs.png) { coder.encode(png as NSData, forKey: Key.bitmap) }
    coder.encode(Double(scale), forKey: Key.scale)
    coder.encode(orientation.rawValue, forKey: Key.orientation)
    guard let images else { return }
    coder.encode(images as NSArray, forKey: Key.images)
    coder.encode(duration, forKey: Key.duration)
  }
}

extension UIImageArchive {
  /// What is missing or senseless reads as an empty image's. Keys are looked for first, since a missing object counts as damage to
  /// the whole archive.
  init(reading coder: NSCoder) {
    if coder.containsValue(forKey: Key.bitmap), let png = coder.decodeObject(of: NSData.self, forKey: Key.bitmap) {
      bitmap = try? ImageCodecs.decode(png as Data)
    }
    scale = CGFloat(coder.decodeDouble(forKey: Key.scale))
    orientation = UIImage.Orientation(rawValue: coder.decodeInteger(forKey: Key.orientation)) ?? .up
    guard coder.containsValue(forKey: Key.images) else { return }
    images = coder.decodeObject(of: [NSArray.self, UIImage.self], forKey: Key.images) as? [UIImage]
    duration = coder.decodeDouble(forKey: Key.duration)
  }
}
