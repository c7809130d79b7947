/// The bytes of an image, and the information in their header.
struct Encoded: Sendable {
  let data: Data
  let size: FutureImage.PixelSize
  /// Whether the bytes are from a disk tier. Then a fault in them may be the disk's, not the server's.
  var isFromDisk: Bool
  /// The generation of the image; known when its picture has it.
  var generation: UInt32 = 0
  /// Whether the disk tiers of the futures have the bytes, or are about to store them. False once one of them may not or cannot.
  var isStored = true
  /// Whether the app has set them. Then its source need not have them, and they are never released beyond a limit.
  var isOfApp = false
  /// Makes the pixels, in place of the bytes.
  var sized: SizedSource?
}

extension Encoded {
  /// Creates an image without bytes, whose source makes pixels.
  init(_ source: SizedSource, size: FutureImage.PixelSize) {
    self.init(data: Data(), size: size, isFromDisk: false, sized: source)
  }
}
