#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests of dark images that need UIKit.
extension DarkPictureTests {
  @Test func `a view in a window shows the image of the window's style, and follows changes of that style`() async {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    window.change(to: .dark)
    view.futureImage = future()
    await serve("light", .red)
    window.addSubview(view)
    await serve("dark", .blue)
    #expect(isBlue)
    window.change(to: .light)
    #expect(isRed)
  }

  @Test func `a recycled view changes to the dark image of its current future`() async {
    let before = StyleWatch.shared.count
    for number in 0..<50 {
      let source = FutureImage.Source.url(LoaderFixture.url("row\(number)")).inDarkMode(use: .url(LoaderFixture.url("dark\(number)")))
      view.futureImage = FutureImage(source, loader: fixture.loader)
    }
    #expect(StyleWatch.shared.count <= before + 1)
    let photo = future()
    view.futureImage = photo
    await serve("light", .red)
    view.change(to: .dark)
    await serve("dark", .blue)
    #expect(isBlue && view.futureImage === photo)
    #expect(requested().filter { $0.hasPrefix("dark") } == ["dark.jpg"])
  }

  @Test func `a cell's content configuration changes with the cell's style`() async {
    let cell = UICollectionViewCell(frame: CGRect(x: 0, y: 0, width: 320, height: 44))
    func color() -> TestColor? { (cell.contentConfiguration as? UIListContentConfiguration)?.image?.color }
    var content = UIListContentConfiguration.cell()
    content.image = future()
    content.imageProperties.maximumSize = CGSize(width: 60, height: 60)
    cell.display(content)
    await serve("light", .red)
    #expect(TestColor.red.isNearly(color()))
    cell.change(to: .dark)
    await serve("dark", .blue)
    #expect(TestColor.blue.isNearly(color()))
    cell.change(to: .light)
    #expect(TestColor.red.isNearly(color()))
    #expect(requested() == ["light.jpg", "dark.jpg"])
  }

  @Test func `a button's image changes with the button's style`() async {
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48))
    button.display(future(), for: .normal)
    await serve("light", .red)
    button.change(to: .dark)
    await serve("dark", .blue)
    #expect(TestColor.blue.isNearly(button.image(for: .normal)?.color))
  }

  @Test func `after 200 views are released, the list of views whose style is watched keeps fewer than 50 records of them`() {
    let before = StyleWatch.shared.count
    // A record is removed after its view has been released, while a later view is registered.
    for _ in 0..<200 { imageView(10).futureImage = future() }
    #expect(StyleWatch.shared.count < before + 50)
  }

  @Test func `the content mode of an image does not change while the image of the other style is fetched`() async {
    view.display(future(), .init(contentModes: (image: .scaleAspectFill, placeholder: .center, failure: .top)))
    await serve("light", .red)
    view.change(to: .dark)
    #expect(isRed)
    #expect(view.contentMode == .scaleAspectFill)
    await serve("dark", .blue)
    #expect(view.contentMode == .scaleAspectFill)
  }
}
#endif
