import Foundation

@testable import FutureImage

extension SampleImage {
  /// Returns an image as the loader decodes it for a view that needs less than its full size, which is 1200 × 900 pixels.
  /// - Parameter fraction: the decoded width and height, as a fraction of the full size.
  static func decoded(_ fraction: Double) -> UIImage {
    let whole = FutureImage.PixelSize(width: 1200, height: 900)
    let step = DecodeStep(fraction: fraction)
    let size = step.size(of: whole)
    let pixels = image(size.width, size.height)
    guard let bitmap = pixels.cgImage else { return pixels }
    let points = CGSize(width: whole.width, height: whole.height)
    let details = DecodedImage.Details(step: step, whole: (whole, points), byteCount: pixels.byteCount)
    return DecodedImage(bitmap, like: pixels, details)
  }
}
