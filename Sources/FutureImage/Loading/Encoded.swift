/// The bytes of an image, and the information in their header.
struct Encoded: Sendable {
  let data: Data
  let size: FutureImage.PixelSize
  /// Whether the bytes are from a disk tier. Then a fault in them may be the disk's, not the server's.
  var isFromDisk: Bool
  /// The generation of the image; known when the loader answers.
  var revision: UInt32 = 0
  /// If false, the futures retain the bytes.
  var isStored = true
  /// Whether the bytes are those of the smaller image that replaces the source on some networks.
  var isSubstitute = false
  /// Counts the bytes while futures retain them; nil for bytes that no source could deliver again.
  var share: HeldBytes.Share?
  /// Makes the pixels, in place of the bytes.
  var sized: SizedSource?
}

extension Encoded {
  /// Creates an image without bytes, whose source makes pixels.
  init(_ source: SizedSource, size: FutureImage.PixelSize) {
    self.init(data: Data(), size: size, isFromDisk: false, sized: source)
  }
}
