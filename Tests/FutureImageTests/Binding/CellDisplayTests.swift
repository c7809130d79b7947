#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A cell draws the image of its content configuration as a plain image. Therefore the image of a future appears only if the app calls
/// `display`.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CellDisplayTests {
  let fixture = LoaderFixture()

  private final class CountedCell: UITableViewCell {
    var changes = 0

    override var contentConfiguration: (any UIContentConfiguration)? { didSet { changes += 1 } }
  }

  private func content(_ image: UIImage?) -> UIListContentConfiguration {
    var content = UIListContentConfiguration.subtitleCell()
    content.image = image
    content.imageProperties.maximumSize = CGSize(width: 60, height: 60)
    return content
  }

  private func displayed(_ cell: UITableViewCell) -> UIImage? {
    cell.layoutIfNeeded()
    return (cell.contentView as? UIListContentView)?.displayedImage
  }

  @Test func `a cell whose content configuration is set directly always draws the future's placeholder`() async {
    let (cell, future) = (UITableViewCell(), fixture.future(placeholder: SampleImage.image(8, 8)))
    cell.contentConfiguration = content(future)
    await fixture.serve()
    #expect(displayed(cell)?.size == CGSize(width: 8, height: 8))
    withExtendedLifetime(future) {}
  }

  @Test func `a cell that displays a configuration draws the placeholder until the image arrives, and then the image`() async {
    let cell = UITableViewCell()
    cell.display(content(fixture.future(placeholder: SampleImage.image(8, 8))))
    #expect(displayed(cell)?.size == CGSize(width: 8, height: 8))
    let view = cell.contentView
    await fixture.serve()
    #expect(displayed(cell)?.size == CGSize(width: 1200, height: 900))
    #expect(cell.contentView === view)
  }

  @Test func `a configuration is applied once when it is displayed and once when its image arrives`() async {
    let cell = CountedCell()
    cell.display(content(fixture.future()))
    #expect(cell.changes == 1)
    await fixture.serve()
    #expect(cell.changes == 2)
    cell.display(content(nil))
    #expect(cell.changes == 3)
  }

  @Test func `if the app replaces a cell's future with the placeholder, the placeholder stays when the image arrives`() async {
    let (cell, placeholder) = (UITableViewCell(), SampleImage.image(8, 8))
    let future = fixture.future(placeholder: placeholder)
    cell.display(content(future))
    cell.contentConfiguration = content(placeholder)
    await fixture.serve()
    #expect((cell.contentConfiguration as? UIListContentConfiguration)?.image === placeholder)
    #expect(displayed(cell)?.size == CGSize(width: 8, height: 8))
  }
}
#endif
