import Foundation

@testable import FutureImage

extension SampleImage {
  /// An image as the loader decodes it for a view that shows only a part of its pixels.
  /// - Parameter fraction: the part of each side that it has.
  static func decoded(_ fraction: Double, of whole: FutureImage.PixelSize = FutureImage.PixelSize(width: 1200, height: 900)) -> UIImage {
    let step = DecodeStep(fraction: fraction)
    let size = step.size(of: whole)
    let pixels = image(size.width, size.height)
    guard let bitmap = pixels.cgImage else { return pixels }
    let points = CGSize(width: whole.width, height: whole.height)
    let details = DecodedImage.Details(step: step, whole: (whole, points), byteCount: pixels.byteCount)
    return DecodedImage(bitmap, like: pixels, details)
  }
}
