import CImageCodecs

/// What a file's header says, without decoding.
package struct ImageInfo: Sendable, Equatable {
  package var format: ImageFormat
  /// As seen, after ``orientation`` has been applied.
  package var size: PixelSize
  /// How the stored picture is to be turned.
  package var orientation: ExifOrientation
  /// A progressive JPEG, an interlaced PNG or GIF.
  package var isProgressive: Bool
  /// 1 for a still picture; 10,000 for a GIF of more.
  package var frames: Int
  /// How often an animation is meant to be played; 0 for ever.
  package var plays: Int
  /// What a JPEG of several scans needs whole while it is decoded; 0 for all others.
  package var coefficientBytes: Int

  /// As stored, before ``orientation`` is applied.
  package var storedSize: PixelSize { size.swapped(if: orientation.swapsAxes) }

  /// That size, or this picture's where it is smaller; its own for nil. No side is below one pixel.
  func size(atMost asked: PixelSize?) -> PixelSize {
    guard let asked else { return size }
    return PixelSize(width: max(1, min(asked.width, size.width)), height: max(1, min(asked.height, size.height)))
  }
}

extension ImageInfo {
  init(_ info: cic_info, format: ImageFormat) {
    let stored = PixelSize(width: Int(info.width), height: Int(info.height))
    orientation = ExifOrientation(exif: Int(info.orientation))
    size = stored.swapped(if: orientation.swapsAxes)
    isProgressive = info.progressive
    frames = Int(info.frames)
    plays = Int(info.plays)
    coefficientBytes = Int(clamping: info.coefficient_bytes)
    self.format = format
  }
}

extension PixelSize {
  /// That a picture of this size takes.
  var bytes: Int { width * height * 4 }

  func swapped(if swaps: Bool) -> PixelSize {
    swaps ? PixelSize(width: height, height: width) : self
  }
}
