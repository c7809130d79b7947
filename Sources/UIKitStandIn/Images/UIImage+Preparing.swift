import Foundation

extension UIImage {
  /// Where the completion-handler forms work and answer. Concurrent, as the work is the caller's to limit.
  static let preparation = DispatchQueue(label: "UIImage.preparation", qos: .userInitiated, attributes: .concurrent)

  var preparedForDisplay: UIImage? {
    cgImage.map { UIImage(cgImage: $0, scale: scale, orientation: imageOrientation) }
  }

  func thumbnail(of size: CGSize) -> UIImage? {
    guard let cgImage, let target = Self.pixels(size, scale: scale) else { return nil }
    let reduced = cgImage.reduced(to: target.swapped(if: imageOrientation.swapsAxes))
    return reduced.map { UIImage(cgImage: $0, scale: scale, orientation: imageOrientation) }
  }

  /// Nil for an empty size and for one that is no number.
  private static func pixels(_ size: CGSize, scale: CGFloat) -> PixelSize? {
    let (width, height) = ((size.width * scale).rounded(), (size.height * scale).rounded())
    guard width > 0, height > 0 else { return nil }
    return PixelSize(width: Int(min(width, 1e9)), height: Int(min(height, 1e9)))
  }
}
