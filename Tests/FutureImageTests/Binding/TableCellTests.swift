#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A table cell resizes its own image view to the size of its image, but only during a layout of the cell.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TableCellTests {
  let fixture = LoaderFixture()

  @Test func `in the UIKit stand-in, a table cell shows a late image only after the next layout of the cell`() {
    let cell = UITableViewCell()
    cell.imageView?.image = nil
    cell.layoutIfNeeded()
    cell.imageView?.image = SampleImage.image()
    cell.layoutIfNeeded()
    #expect(cell.imageView?.displayedBitmap == nil)
    cell.setNeedsLayout()
    cell.layoutIfNeeded()
    #expect(cell.imageView?.displayedBitmap != nil)
  }

  @Test func `an image without a known size appears in the image view of a cell`() async {
    let cell = UITableViewCell()
    let future = fixture.future()
    cell.imageView?.futureImage = future
    cell.layoutIfNeeded()
    await fixture.serve()
    cell.layoutIfNeeded()
    #expect(cell.imageView?.displayedBitmap != nil)
    #expect(cell.imageView?.bounds.size == CGSize(width: 1200, height: 900))
  }

  @Test func `an image whose size is known before it loads does not cause a second layout of its cell`() async {
    final class CountedCell: UITableViewCell {
      var layouts = 0
      override func layoutSubviews() {
        super.layoutSubviews()
        layouts += 1
      }
    }
    let cell = CountedCell()
    let future = fixture.future(size: CGSize(width: 40, height: 30))
    cell.imageView?.futureImage = future
    cell.layoutIfNeeded()
    #expect(cell.layouts == 1 && cell.imageView?.bounds.size == CGSize(width: 40, height: 30))
    await fixture.serve()
    cell.layoutIfNeeded()
    #expect(cell.layouts == 1 && cell.imageView?.displayedBitmap != nil)
  }
}
#endif
