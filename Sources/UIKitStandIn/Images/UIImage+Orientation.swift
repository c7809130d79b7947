extension UIImage {
  /// How the stored bitmap is turned to be seen upright, with UIKit's raw values.
  public enum Orientation: Int, Sendable {
    case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
  }
}

extension UIImage.Orientation {
  /// In the order of EXIF's values 1 to 8 (CIPA DC-008, tag 0x0112).
  private static let exifOrder: [Self] = [
    .up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left
  ]

  /// ``up`` for values beyond 1 to 8.
  package init(exif value: Int) {
    self = (1...8).contains(value) ? Self.exifOrder[value - 1] : .up
  }

  /// 1 to 8.
  package var exif: Int {
    (Self.exifOrder.firstIndex(of: self) ?? 0) + 1
  }

  /// Whether width and height change places.
  package var swapsAxes: Bool {
    switch self {
    case .left, .right, .leftMirrored, .rightMirrored: true
    case .up, .down, .upMirrored, .downMirrored: false
    }
  }
}
