extension PlatformImage {
  /// The rotation and mirroring that show the stored bitmap upright, with UIKit's raw values.
  public enum Orientation: Int, Sendable {
    case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
  }
}

extension PlatformImage.Orientation {
  /// The orientations in the order of EXIF's values 1 to 8 (CIPA DC-008, tag 0x0112).
  private static let exifOrder: [Self] = [
    .up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left
  ]

  /// Uses ``up`` for values outside 1 to 8.
  package init(exif value: Int) {
    self = (1...8).contains(value) ? Self.exifOrder[value - 1] : .up
  }

  /// 1 to 8.
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

  /// The same rotation, mirrored; or unmirrored if it was mirrored.
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
