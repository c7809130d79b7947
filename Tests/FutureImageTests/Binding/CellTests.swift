#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CellTests {
  private let fixture = LoaderFixture()
  private let cell = UICollectionViewCell(frame: CGRect(x: 0, y: 0, width: 320, height: 44))

  private var shown: UIListContentConfiguration? { cell.contentConfiguration as? UIListContentConfiguration }

  private func content(_ image: UIImage?, _ text: String = "text") -> UIListContentConfiguration {
    var content = UIListContentConfiguration.cell()
    content.text = text
    content.image = image
    content.imageProperties.maximumSize = CGSize(width: 60, height: 60)
    return content
  }

  @Test func `a cell shows the placeholder until the image arrives, and then the image`() async {
    let placeholder = SampleImage.image()
    cell.display(content(fixture.future(placeholder: placeholder)))
    #expect(shown?.text == "text")
    #expect(shown?.image is FutureImage)
    #expect(shown?.image?.size == placeholder.size)
    await fixture.serve()
    #expect(shown?.text == "text")
    #expect(shown?.image is DecodedImage)
  }

  @Test func `a cell without a layout gets pixels for the maximum image size in its configuration`() async {
    cell.bounds = .zero
    cell.display(content(fixture.future()))
    await fixture.serve("a", SampleImage.jpeg(640, 480))
    // The view needs a width of 60 pixels. The smallest decode step that has this width is one eighth of the image's 640 pixels.
    #expect(shown?.image?.cgImage?.width == 80)
  }

  @Test func `a table section's header shows the image when it arrives`() async {
    let header = UITableViewHeaderFooterView(reuseIdentifier: "header")
    var content = header.defaultContentConfiguration()
    content.image = fixture.future()
    content.imageProperties.maximumSize = CGSize(width: 60, height: 60)
    header.display(content)
    #expect((header.contentConfiguration as? UIListContentConfiguration)?.image is FutureImage)
    await fixture.serve("a", SampleImage.jpeg(640, 480))
    #expect((header.contentConfiguration as? UIListContentConfiguration)?.image?.cgImage?.width == 80)
  }

  @Test func `a ready image is shown in a cell at once`() async {
    let future = fixture.future()
    let view = imageView(60)
    view.futureImage = future
    await fixture.serve()
    cell.display(content(future))
    #expect(shown?.image is DecodedImage)
  }

  @Test func `the image is written into the configuration that the cell has when the image arrives`() async throws {
    cell.display(content(fixture.future()))
    var later = try #require(shown)
    later.text = "later"
    cell.contentConfiguration = later
    await fixture.serve()
    #expect(shown?.text == "later")
    #expect(shown?.image is DecodedImage)
  }

  @Test func `an update handler that displays the future at each change of state creates only one binding`() async {
    let future = fixture.future()
    cell.configurationUpdateHandler = { cell, state in cell.display(content(future, state.isSelected ? "selected" : "plain")) }
    cell.updateConfiguration(using: cell.configurationState)
    cell.isSelected = true
    cell.updateConfiguration(using: cell.configurationState)
    #expect(future.bindings.count == 1)
    await fixture.serve()
    #expect(shown?.text == "selected")
    #expect(shown?.image is DecodedImage)
    cell.isSelected = false
    cell.updateConfiguration(using: cell.configurationState)
    #expect(shown?.text == "plain")
    #expect(shown?.image is DecodedImage)
    #expect(future.bindings.count == 1)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a reused cell cancels the former item's transfer and shows the new image`() async {
    cell.display(content(fixture.future("former")))
    await fixture.held.waitForHeld()
    cell.display(content(fixture.future("new"), "new"))
    await fixture.held.waitForCancellations()
    await fixture.serve("new")
    #expect(shown?.text == "new")
    #expect(shown?.image is DecodedImage)
  }

  @Test func `a former item's image that arrives late does not appear in the cell`() async throws {
    let former = fixture.future("former")
    cell.display(content(former))
    cell.display(content(fixture.future("new"), "new"))
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("former"), with: SampleImage.jpeg(64, 48, red: 20))
    fixture.held.resolve(LoaderFixture.url("new"), with: SampleImage.jpeg(64, 48, red: 200))
    await fixture.loader.waitForIdle()
    #expect(try #require(shown?.image?.color).red > 150)
    #expect(former.bindings.allSatisfy { !$0.isCurrent })
  }

  @Test func `a configuration without an image ends the binding of the cell`() async {
    let former = fixture.future()
    cell.display(content(former))
    cell.display(content(nil, "none"))
    await fixture.serve()
    #expect(shown?.text == "none" && shown?.image == nil)
  }

  @Test func `an image that the app sets in a cell is not replaced when the future's image arrives`() async {
    let former = fixture.future()
    cell.display(content(former))
    let other = SampleImage.image()
    cell.contentConfiguration = content(other)
    await fixture.serve()
    #expect(shown?.image === other)
    let plain = SampleImage.image()
    cell.display(content(plain))
    #expect(shown?.image === plain)
  }

  /// A content configuration that an app defines. The library cannot access its image.
  private struct Own: UIContentConfiguration {
    func makeContentView() -> any UIView & UIContentView { UIListContentView(configuration: .cell()) }
    func updated(for state: any UIConfigurationState) -> Own { self }
  }

  @Test func `if the app sets another type of content in a cell, the future's image does not replace that content`() async {
    let former = fixture.future()
    cell.display(content(former))
    cell.contentConfiguration = Own()
    await fixture.serve()
    #expect(cell.contentConfiguration is Own)
  }

  @Test func `a second cell can display the first cell's configuration, which contains a future`() async throws {
    cell.display(content(fixture.future()))
    let other = UICollectionViewCell(frame: cell.frame)
    other.display(try #require(shown))
    await fixture.serve()
    #expect(shown?.image is DecodedImage)
    #expect((other.contentConfiguration as? UIListContentConfiguration)?.image is DecodedImage)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `the content and the background of a cell can each show their own future`() async {
    var background = UIBackgroundConfiguration.clear()
    background.image = fixture.future("background")
    background.imageContentMode = .scaleAspectFill
    cell.display(background)
    cell.display(content(fixture.future("content")))
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(with: SampleImage.jpeg(640, 480))
    await fixture.loader.waitForIdle()
    #expect(shown?.image?.cgImage?.width == 80)
    #expect(cell.backgroundConfiguration?.image?.cgImage?.width == 320)
    #expect(cell.backgroundConfiguration?.imageContentMode == .scaleAspectFill)
  }

  @Test func `a reused cell replaces the failure image with the next item's image, and no longer calls the failed item's callback`() async {
    let broken = SampleImage.image()
    var phases: [FutureImage.Phase] = []
    cell.display(content(fixture.future()), .init(failureImage: broken) { phases.append($0) })
    await fixture.held.waitForHeld()
    fixture.held.resolve(LoaderFixture.url(), with: Data("no image".utf8))
    await fixture.loader.waitForIdle()
    #expect(phases.last?.isFinal == true)
    #expect(shown?.image?.size == broken.size)
    let count = phases.count
    cell.display(content(fixture.future("b")))
    await fixture.serve("b")
    #expect(shown?.image is DecodedImage)
    #expect(phases.count == count)
  }

  @Test func `a released cell cancels its transfer`() async {
    var cell: UICollectionViewCell? = UICollectionViewCell(frame: .zero)
    cell?.display(content(fixture.future()))
    await fixture.held.waitForHeld()
    weak let gone = cell
    cell = nil
    #expect(gone == nil)
    await fixture.held.waitForCancellations()
  }

  /// If the maximum width and the maximum height are both zero, the width of the cell limits the pixels.
  @Test(arguments: [
    (CGSize(width: 60, height: 40), CGSize(width: 60, height: 40)), (CGSize(width: 60, height: 0), CGSize(width: 60, height: 0)),
    (CGSize(width: 0, height: 40), CGSize(width: 0, height: 40)), (.zero, CGSize(width: 320, height: 0))
  ])
  func `a width or height of zero in the maximum size does not limit the pixels`(maximumSize: CGSize, points: CGSize) {
    var content = content(nil)
    content.imageProperties.maximumSize = maximumSize
    let scale = cell.pixelsPerPoint
    let (width, height) = (Int(points.width * scale.width), Int(points.height * scale.height))
    #expect(content.pixelFitting(in: cell) == .fit(width: width == 0 ? .max : width, height: height == 0 ? .max : height))
  }

  @Test func `no pixel size is known for a cell that has no size, no window, and no maximum size`() {
    cell.bounds = .zero
    var content = content(nil)
    content.imageProperties.maximumSize = .zero
    #expect(content.pixelFitting(in: cell) == nil)
  }
}
#endif
