#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// Row 20 of the report that `Tests/first-run` writes: futures in the configurations of cells.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CellTests {
  private let stage = Stage()

  /// Row 24 of the report that `Tests/first-run` writes. A table cell gives its image view the size of the image only when the cell is laid
  /// out.
  @Test func `the image view of a table cell displays an image that arrives after the cell's layout`() async throws {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    cell.frame = CGRect(x: 0, y: 0, width: 320, height: 44)
    stage.window.addSubview(cell)
    let view = try #require(cell.imageView)
    view.futureImage = try stage.future()
    cell.layoutIfNeeded()
    await stage.serve()
    record(24, "size of the image view before the cell's layout", view.bounds.size)
    cell.layoutIfNeeded()
    record(24, "size of the image view after the cell's layout", view.bounds.size)
    #expect(view.isDisplaying)
  }

  @Test func `a cell's configurations contain the futures before loading, and the images after loading`() async throws {
    let cell = UICollectionViewCell(frame: CGRect(x: 0, y: 0, width: 320, height: 44))
    stage.window.addSubview(cell)
    let future = try stage.future("content")
    var content = UIListContentConfiguration.cell()
    content.image = future
    content.imageProperties.maximumSize = CGSize(width: 40, height: 40)
    cell.display(content)
    var background = UIBackgroundConfiguration.clear()
    background.image = try stage.future("background")
    cell.display(background)
    cell.isSelected = true
    cell.layoutIfNeeded()
    #expect((cell.contentConfiguration as? UIListContentConfiguration)?.image === future)
    #expect(cell.backgroundConfiguration?.image is FutureImage)
    try await stage.fetcher.waitForHeld(2)
    await stage.serve()
    let size = (cell.contentConfiguration as? UIListContentConfiguration)?.image?.size
    record(20, "size of the image in the configuration of the content", size ?? CGSize.zero)
    #expect(size == CGSize(width: 640, height: 480))
    #expect(cell.backgroundConfiguration?.image?.size == CGSize(width: 640, height: 480))
  }
}
#endif
