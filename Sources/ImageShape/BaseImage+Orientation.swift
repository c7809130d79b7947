extension BaseImage {
  /// The rotation and mirroring that show the stored bitmap upright, with UIKit's raw values.
  public enum Orientation: Int, Sendable {
    case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
  }
}

extension BaseImage.Orientation {
  /// The orientations in the order of EXIF's values 1 to 8 (CIPA DC-008, tag 0x0112).
  private static let exifOrder: [Self] = [
    .up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left
  ]

  /// Creates the orientation for one of EXIF's values. For values outside 1 to 8, the orientation is ``up``.
  package init(exif value: Int) {
    self = (1...8).contains(value) ? Self.exifOrder[value - 1] : .up
  }

  /// The value in EXIF, 1 to 8.
  package var exif: Int {
    (Self.exifOrder.firstIndex(of: self) ?? 0) + 1
  }

  /// Whether width and height are swapped.
  package var swapsAxes: Bool {
    switch self {
    case .left, .right, .leftMirrored, .rightMirrored: true
    case .up, .down, .upMirrored, .downMirrored: false
    }
  }

  /// The same rotation with the opposite mirroring.
  var flippedHorizontally: Self {
    switch self {
    case .up: .upMirrored
    case .down: .downMirrored
    case .left: .leftMirrored
    case .right: .rightMirrored
    case .upMirrored: .up
    case .downMirrored: .down
    case .leftMirrored: .left
    case .rightMirrored: .right
    }
  }
}
