/// Makes the pixels of an image in the requested size.
///
/// This is a class, so that a source reserves room only for a reference. Few sources are sized.
final class SizedSource: Sendable {
  typealias Rendition = FutureImage.Source.Rendition

  /// The side, in pixels, of the square in which an image of unknown size is first made, to learn its proportions. The error of a photo's
  /// proportions is then about half a percent at most.
  static let trialSide = 256
  /// The longest side that an image may have, in pixels. It is the limit of JPEG.
  static let longestSide: CGFloat = 65_535
  /// The assumed longer side of an image of unknown size, in pixels. Few screens have a longer side.
  static let assumedSide = 4096

  private let given: CGSize?
  private let make: @Sendable (CGSize) async throws -> Rendition

  init(wholeSize: CGSize?, make: @escaping @Sendable (CGSize) async throws -> Rendition) {
    given = wholeSize
    self.make = make
  }

  /// The size of the whole image, if the app knows it.
  /// - Throws: `.refused` if the app's size is not a possible size of an image.
  var wholeSize: FutureImage.PixelSize? {
    get throws(FutureImage.Failure) {
      guard let given else { return nil }
      let sides = [given.width, given.height]
      guard sides.allSatisfy({ $0 >= 1 && $0 <= Self.longestSide }) else {
        throw FutureImage.Failure(.refused("its whole size is not the size of an image; give its width and height in pixels, up to 65,535"))
      }
      return FutureImage.PixelSize(width: Int(given.width.rounded()), height: Int(given.height.rounded()))
    }
  }

  /// Calls the app's closure.
  func rendition(_ size: FutureImage.PixelSize) async throws(FutureImage.Failure) -> Rendition {
    assertNoLockIsHeld()
    // If the task is already canceled, the closure is not called.
    guard !Task.isCancelled else { throw FutureImage.Failure(.cancelled) }
    do {
      return try await make(CGSize(width: size.width, height: size.height))
    } catch {
      throw FutureImage.Failure(ofSource: error)
    }
  }

  /// Returns the size of a whole image. Because this size was unknown, an image was first requested within a square of ``trialSide``
  /// pixels. The size is derived from the image that was made.
  ///
  /// | made | scale | whole | |
  /// | --- | --- | --- | --- |
  /// | 256 × 171 | 1 | 4096 × 2736 | reduced: the size of the whole image is unknown |
  /// | 768 × 513 | 3 | 4096 × 2736 | likewise, but the closure interpreted the pixels as points |
  /// | 100 × 80 | 1 | 100 × 80 | the image has no more pixels |
  /// | 1200 × 900 | 1 | 1200 × 900 | not reduced |
  /// - Parameters:
  ///   - made: the size of the image that was made, in pixels.
  ///   - scale: the number of pixels per point.
  static func wholeSize(made: FutureImage.PixelSize, scale: Double = 1) -> FutureImage.PixelSize {
    let longest = Double(max(made.width, made.height))
    // When the closure fits the image into a box, it may round a side up or down.
    let isReduced = [longest, longest / scale].contains { abs($0 - Double(trialSide)) <= 2 }
    guard isReduced else { return made }
    let scale = Double(assumedSide) / longest
    func enlarged(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
    return FutureImage.PixelSize(width: enlarged(made.width), height: enlarged(made.height))
  }
}

extension FutureImage.PixelSize {
  /// Whether both sizes have the same proportions, with a tolerance of two percent and of one pixel of rounding for each side.
  func hasProportions(of other: FutureImage.PixelSize) -> Bool {
    let (here, there) = (Double(width) * Double(other.height), Double(height) * Double(other.width))
    return abs(here - there) <= 0.02 * max(here, there) + Double(other.width + other.height + width + height)
  }

  /// Whether neither side is longer than in the other size.
  func fits(in other: FutureImage.PixelSize) -> Bool { width <= other.width && height <= other.height }
}

extension FutureImage.Failure {
  /// Creates a failure from the error of a source's closure.
  init(ofSource error: any Error) {
    switch error {
    case _ where Task.isCancelled, is CancellationError: self.init(.cancelled)
    case let failure as FutureImage.Failure: self = failure
    default: self.init(.unreadable("the closure of its source failed; check it (\(error.words))"), underlying: error)
    }
  }
}
