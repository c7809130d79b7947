/// The rotation and mirroring that show a stored bitmap upright, with the raw values of EXIF (CIPA DC-008, tag 0x0112).
package enum ExifOrientation: Int, Sendable {
  case up = 1
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left

  /// Uses ``up`` for values outside 1 to 8.
  package init(exif value: Int) {
    self = Self(rawValue: value) ?? .up
  }

  /// Whether width and height are swapped.
  package var swapsAxes: Bool { rawValue > 4 }
}
