#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

#if DEBUG
/// A debug build reports a future that is set as a plain image, because the view would show its placeholder forever.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SilentAssignmentTests {
  private let fixture = LoaderFixture()

  /// Shows an image, advances the clock by two seconds, and returns the reports.
  private func reports(after show: () -> Void) async -> [String] {
    let reports = Lock<[String]>([])
    let watch = SilentAssignment { text in reports.withLock { $0.append(text) } }
    SilentAssignment.$watch.withValue(watch) { show() }
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(2))
    await waitWhile(watch.isWaiting)
    return reports.withLock { $0 }
  }

  /// Ways to show an image without a binding.
  private let ways: [(UIImage) -> AnyObject] = [
    { image in
      let view = imageView(100)
      view.image = image
      return view
    },
    { UIImageView(image: $0) },
    { image in
      let cell = UITableViewCell()
      var content = cell.defaultContentConfiguration()
      content.image = image
      cell.contentConfiguration = content
      cell.layoutIfNeeded()
      return cell
    },
    { image in
      let button = UIButton(type: .system)
      button.setImage(image, for: .normal)
      button.layoutIfNeeded()
      return button
    },
    { image in
      let view = imageView(100)
      view.animationImages = [image]
      view.startAnimating()
      return view
    }
  ]

  @Test(arguments: 0..<5) func `a future that is shown as a plain image is reported with the code that would bind it`(way: Int) async {
    let future = fixture.future(placeholder: SampleImage.image())
    var owner: AnyObject?
    let reports = await reports { owner = ways[way](future) }
    #expect(
      reports == [
        "FutureImage: https://shop.test/a.jpg is shown as a plain image, so its placeholder stays forever; bind it by "
          + "imageView.futureImage = photo, by cell.display(content) for a configuration, or by display(photo, for: .normal) for a button."
      ])
    withExtendedLifetime(owner) {}
  }

  @Test func `only the first future that is shown as a plain image is reported`() async {
    let futures = ["a", "b"].map { fixture.future($0) }
    let views = [imageView(100), imageView(100)]
    let texts = Lock<[String]>([])
    let watch = SilentAssignment { text in texts.withLock { $0.append(text) } }
    for (view, future) in zip(views, futures) {
      SilentAssignment.$watch.withValue(watch) { view.image = future }
      if !watch.isWaiting { continue }
      await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(2))
      await waitWhile(watch.isWaiting)
    }
    #expect(texts.withLock { $0.count } == 1)
  }

  @Test func `a future that is bound within two seconds is not reported, but the next unbound future is reported`() async {
    let (view, future) = (imageView(100), fixture.future())
    let reports = Lock<[String]>([])
    let watch = SilentAssignment { text in reports.withLock { $0.append(text) } }
    SilentAssignment.$watch.withValue(watch) { view.image = future }
    await fixture.clock.waitForSleepers()
    view.futureImage = future
    fixture.clock.advance(by: .seconds(2))
    await waitWhile(watch.isWaiting)
    #expect(reports.withLock { $0.isEmpty })
    let (other, second) = (imageView(100), fixture.future("b"))
    SilentAssignment.$watch.withValue(watch) { other.image = second }
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(2))
    await waitWhile(watch.isWaiting)
    #expect(reports.withLock { $0.count } == 1)
  }

  @Test func `no report is scheduled for a bound future, or for a bound view's image that the app sets in another view`() async {
    let watch = SilentAssignment { _ in Issue.record("a bound future was reported") }
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    let (small, large, other) = (imageView(100), imageView(1200), imageView(50))
    let (future, cell) = (fixture.future(placeholder: SampleImage.image()), UITableViewCell())
    SilentAssignment.$watch.withValue(watch) {
      for view in [small, large, other] { window.addSubview(view) }
      small.futureImage = future
      var content = cell.defaultContentConfiguration()
      content.image = future
      cell.display(content)
      cell.layoutIfNeeded()
      other.image = small.image
      window.overrideUserInterfaceStyle = .dark
      #expect(!watch.isWaiting)
    }
    await fixture.serve()
    SilentAssignment.$watch.withValue(watch) {
      large.futureImage = future
      window.overrideUserInterfaceStyle = .light
      #expect(!watch.isWaiting)
    }
  }

  @Test func `no report is scheduled for a future that is bound to a view in dark mode`() {
    let watch = SilentAssignment { _ in Issue.record("a bound future was reported") }
    let source = FutureImage.Source.url(LoaderFixture.url("light")).inDarkMode(use: .url(LoaderFixture.url("dark")))
    let (view, future) = (imageView(100), FutureImage(source, placeholder: .image(SampleImage.image()), loader: fixture.loader))
    view.change(to: .dark)
    SilentAssignment.$watch.withValue(watch) {
      view.futureImage = future
      #expect(!watch.isWaiting)
    }
  }

  @Test func `among the animation images of a view, a future without a placeholder is a transparent frame`() {
    let view = imageView(100)
    let futures = [fixture.future("a"), fixture.future("b")]
    view.animationImages = futures
    view.startAnimating()
    #expect(view.displayedFrames?.count == 2)
    #expect(futures[0].cgImage?.width == 1 && futures[0].size == .zero)
  }
}
#endif
#endif
