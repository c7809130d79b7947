import CImageCodecs

/// The contents of a file's header, which are read without decoding.
package struct ImageInfo: Sendable, Equatable {
  package var format: ImageFormat
  /// The size as displayed, after ``orientation`` is applied.
  package var size: PixelSize
  /// The orientation of the stored image.
  package var orientation: ExifOrientation
  /// Whether the image is a progressive JPEG, or an interlaced PNG or GIF.
  package var isProgressive: Bool
  /// The number of frames. It is 1 for a still image, and 10,000 for an animation with more frames.
  package var frames: Int
  /// The number of times to play an animation; 0 means forever.
  package var plays: Int
  /// The number of bytes that the coefficients of a JPEG with several scans take while it is decoded; 0 for all other images.
  package var coefficientBytes: Int

  /// The size as stored, before ``orientation`` is applied.
  package var storedSize: PixelSize { size.swapped(if: orientation.swapsAxes) }

  /// Returns a size of which each side is the smaller of the requested side and this image's own side, and at least one pixel. If
  /// `requested` is nil, returns the image's own size.
  func size(atMost requested: PixelSize?) -> PixelSize {
    guard let requested else { return size }
    return PixelSize(width: max(1, min(requested.width, size.width)), height: max(1, min(requested.height, size.height)))
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
  /// The number of bytes in an image of this size.
  var bytes: Int { width * height * 4 }

  func swapped(if swaps: Bool) -> PixelSize {
    swaps ? PixelSize(width: height, height: width) : self
  }
}

/// The rotation and mirroring that show a stored bitmap upright, with the raw values of EXIF (CIPA DC-008, tag 0x0112).
package enum ExifOrientation: Int, Sendable {
  case up = 1
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left

  /// Creates the orientation for one of EXIF's values. For values outside 1 to 8, the orientation is ``up``.
  package init(exif value: Int) {
    self = Self(rawValue: value) ?? .up
  }

  /// Whether width and height are swapped.
  package var swapsAxes: Bool { rawValue > 4 }
}

/// A size in pixels. Unless its name or comment says otherwise, it is the size as displayed, after the orientation is applied.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
