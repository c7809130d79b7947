import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReservedSpaceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let width: CGFloat?
    let height: CGFloat?
    let ratio: Double?
    let isFilled: Bool
    let size: CGSize

    init(_ width: CGFloat?, _ height: CGFloat?, ratio: Double?, fills isFilled: Bool = false, _ size: CGSize) {
      (self.width, self.height, self.ratio, self.isFilled, self.size) = (width, height, ratio, isFilled, size)
    }

    var testDescription: String { "\(width ?? -1) × \(height ?? -1), ratio \(ratio ?? 0), fills \(isFilled)" }
  }

  // Each row begins with the proposed width and height, and ends with the size of the view. An infinite side counts as nil. If one side is
  // nil, it follows from the other side and the ratio, or from 4 : 3 if the ratio is nil. If both sides are nil, the height is 100 points.
  @Test(arguments: [
    Row(120, 120, ratio: 1.5, CGSize(width: 120, height: 80)),
    Row(120, 120, ratio: 1.5, fills: true, CGSize(width: 120, height: 120)),
    Row(120, 120, ratio: nil, CGSize(width: 120, height: 120)),
    Row(120, nil, ratio: 1.5, CGSize(width: 120, height: 80)),
    Row(120, .infinity, ratio: 1.5, fills: true, CGSize(width: 120, height: 80)),
    Row(120, nil, ratio: nil, CGSize(width: 120, height: 90)),
    Row(nil, 120, ratio: 1.5, CGSize(width: 180, height: 120)),
    Row(nil, nil, ratio: 1.5, CGSize(width: 150, height: 100)),
    Row(-1, nil, ratio: 1.5, CGSize(width: 0, height: 0))
  ]) func `the size of a SwiftUI view is known before its image is loaded`(row: Row) {
    let space = ReservedSpace(ratio: row.ratio, isFilled: row.isFilled)
    #expect(space.size(width: row.width, height: row.height) == row.size)
  }

  @Test func `the app's ratio takes precedence over the future's size, which takes precedence over the default`() {
    let fixture = LoaderFixture()
    let sized = fixture.future(size: CGSize(width: 300, height: 200))
    #expect(ReservedSpace(for: sized, ratio: nil, isFilled: false).size(width: nil, height: nil) == CGSize(width: 300, height: 200))
    #expect(ReservedSpace(for: sized, ratio: nil, isFilled: false).size(width: 150, height: nil) == CGSize(width: 150, height: 100))
    #expect(ReservedSpace(for: sized, ratio: 1, isFilled: false).size(width: 150, height: nil) == CGSize(width: 150, height: 150))
    #expect(ReservedSpace(for: sized, ratio: 1, isFilled: false).size(width: nil, height: nil) == CGSize(width: 300, height: 300))
    for ratio in [0, -1, Double.nan, .infinity] {
      #expect(ReservedSpace(for: nil, ratio: ratio, isFilled: false) == ReservedSpace())
    }
  }

  @Test func `a size is a guess if the ratio of the image is unknown and a side is not proposed`() {
    let unknown = ReservedSpace()
    #expect(unknown.isGuess(width: 120, height: nil) && unknown.isGuess(width: .infinity, height: 120))
    #expect(!unknown.isGuess(width: 120, height: 120))
    #expect(!ReservedSpace(ratio: 1.5).isGuess(width: 120, height: nil))
  }

  @MainActor @Test func `an image that arrives does not change the reserved size`() async {
    let fixture = LoaderFixture()
    let future = fixture.future()
    let before = ReservedSpace(for: future, ratio: nil, isFilled: false)
    let view = imageView(64)
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(640, 200))
    #expect(view.image?.cgImage != nil)
    #expect(ReservedSpace(for: future, ratio: nil, isFilled: false) == before)
  }
}
