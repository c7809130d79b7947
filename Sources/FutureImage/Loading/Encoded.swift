/// The encoded bytes of an image, and the size that their header states.
struct Encoded: Sendable {
  let data: Data
  let size: FutureImage.PixelSize
  /// Whether the bytes are from a disk tier. If so, damage to them may come from the disk and not from the server.
  var isFromDisk: Bool
  /// The generation of the image. Set when its picture gets the bytes.
  var generation: UInt32 = 0
  /// Whether the disk tiers of the futures have the bytes, or are about to store them. False once a tier must not or cannot store them.
  var isStored = true
  /// Whether the image is current because the app has set it, or because the app has undone the call that set another image. In both cases,
  /// perhaps the source does not have the image, so no limit releases the bytes.
  var isOfApp = false
  /// Makes the pixels of an image that has no bytes; nil for an image with bytes.
  var sized: SizedSource?
}

extension Encoded {
  /// Creates an image without bytes, for a source that makes pixels.
  init(_ source: SizedSource, size: FutureImage.PixelSize) {
    self.init(data: Data(), size: size, isFromDisk: false, sized: source)
  }
}
