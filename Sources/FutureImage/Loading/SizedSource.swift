/// Makes the pixels of a picture in the size that is requested.
///
/// An object: few pictures have one, and all have room for it.
final class SizedSource: Sendable {
  typealias Rendition = FutureImage.Source.Rendition

  /// The sides, in pixels, within which a picture of unknown size is made to learn its proportions: enough for an error below half a
  /// percent.
  static let trialSide = 256
  /// The longest side that a picture may have, in pixels: that of a JPEG.
  static let longestSide: CGFloat = 65_535
  /// The longer side, in pixels, that such a picture counts as: that of the largest screens.
  static let assumedSide = 4096

  private let given: CGSize?
  private let make: @Sendable (CGSize) async throws -> Rendition

  init(wholeSize: CGSize?, make: @escaping @Sendable (CGSize) async throws -> Rendition) {
    given = wholeSize
    self.make = make
  }

  /// The whole picture's size, if the app knows it.
  /// - Throws: `.refused` for a size that no picture has.
  var wholeSize: FutureImage.PixelSize? {
    get throws(FutureImage.Failure) {
      guard let given else { return nil }
      let sides = [given.width, given.height]
      guard sides.allSatisfy({ $0 >= 1 && $0 <= Self.longestSide }) else {
        throw FutureImage.Failure(.refused("its whole size is no size of a picture; give its width and height in pixels, up to 65,535"))
      }
      return FutureImage.PixelSize(width: Int(given.width.rounded()), height: Int(given.height.rounded()))
    }
  }

  /// Calls the app's closure.
  func rendition(_ size: FutureImage.PixelSize) async throws(FutureImage.Failure) -> Rendition {
    assertNoLockIsHeld()
    // Cancelled before it began: no closure of the app's is called.
    guard !Task.isCancelled else { throw FutureImage.Failure(.cancelled) }
    do {
      return try await make(CGSize(width: size.width, height: size.height))
    } catch {
      throw FutureImage.Failure(ofSource: error)
    }
  }

  /// The size of the whole picture, where it is not known, by that of one that was asked for within ``trialSide``.
  ///
  /// | made | scale | whole | |
  /// | --- | --- | --- | --- |
  /// | 256 × 171 | 1 | 4096 × 2736 | reduced: how large the whole is, nobody says |
  /// | 768 × 513 | 3 | 4096 × 2736 | likewise, by a closure that took the pixels for points |
  /// | 100 × 80 | 1 | 100 × 80 | there is no more |
  /// | 1200 × 900 | 1 | 1200 × 900 | not reduced |
  /// - Parameters:
  ///   - made: in pixels.
  ///   - scale: pixels a point.
  static func wholeSize(made: FutureImage.PixelSize, scale: Double = 1) -> FutureImage.PixelSize {
    let longest = Double(max(made.width, made.height))
    // Whoever fits a picture into a box may round either way.
    let isReduced = [longest, longest / scale].contains { abs($0 - Double(trialSide)) <= 2 }
    guard isReduced else { return made }
    let scale = Double(assumedSide) / longest
    func enlarged(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
    return FutureImage.PixelSize(width: enlarged(made.width), height: enlarged(made.height))
  }
}

extension FutureImage.PixelSize {
  /// Whether the picture would be the same in another size: but for two percent, and the pixel that each of both is rounded by.
  func hasProportions(of other: FutureImage.PixelSize) -> Bool {
    let (here, there) = (Double(width) * Double(other.height), Double(height) * Double(other.width))
    return abs(here - there) <= 0.02 * max(here, there) + Double(other.width + other.height + width + height)
  }

  /// Whether neither side is longer.
  func fits(in other: FutureImage.PixelSize) -> Bool { width <= other.width && height <= other.height }
}

extension FutureImage.Failure {
  /// What the closure of a source has thrown.
  init(ofSource error: any Error) {
    switch error {
    case _ where Task.isCancelled, is CancellationError: self.init(.cancelled)
    case let failure as FutureImage.Failure: self = failure
    default: self.init(.unreadable("the closure of its source failed; check it (\(error.words))"), underlying: error)
    }
  }
}
