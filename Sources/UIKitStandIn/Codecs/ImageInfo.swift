import CImageCodecs

/// What a file's header says, without decoding.
package struct ImageInfo: Sendable, Equatable {
  package var format: ImageFormat
  /// As seen, after ``orientation`` has been applied.
  package var size: PixelSize
  /// How the stored picture is to be turned.
  package var orientation: UIImage.Orientation
  /// A progressive JPEG or an interlaced PNG.
  package var isProgressive: Bool

  /// As stored, before ``orientation`` is applied.
  package var storedSize: PixelSize { size.swapped(if: orientation.swapsAxes) }
}

extension ImageInfo {
  init(_ info: cic_info, format: ImageFormat) {
    let stored = PixelSize(width: Int(info.width), height: Int(info.height))
    orientation = UIImage.Orientation(exif: Int(info.orientation))
    size = stored.swapped(if: orientation.swapsAxes)
    isProgressive = info.progressive
    self.format = format
  }
}

extension PixelSize {
  func swapped(if swaps: Bool) -> PixelSize {
    swaps ? PixelSize(width: height, height: width) : self
  }
}
