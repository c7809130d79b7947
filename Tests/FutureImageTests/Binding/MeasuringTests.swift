#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MeasuringTests {
  private let fixture = LoaderFixture(disk: .temporary())
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 400))

  private func shown(_ view: UIImageView) -> Int? { view.image?.cgImage?.width }

  @Test func `a view that has grown gets more pixels when it is measured again`() async {
    let (view, future) = (imageView(160), fixture.future())
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    #expect(shown(view) == 160)
    view.bounds.size = CGSize(width: 640, height: 480)
    await fixture.loader.waitForIdle()
    #expect(shown(view) == 160)
    future.measureViews()
    #expect(shown(view) == 160)
    #expect(view.futureImage == nil)
    await fixture.loader.waitForIdle()
    #expect(shown(view) == 640)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a view that is zoomed gets the pixels that the zoom requires when it is measured again`() async {
    let (view, future) = (imageView(160), fixture.future())
    window.addSubview(view)
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    #expect(shown(view) == 160)
    view.transform = CGAffineTransform(scaleX: 4, y: 4)
    future.measureViews()
    await fixture.loader.waitForIdle()
    #expect(shown(view) == 640)
    #expect(view.bounds.size == CGSize(width: 160, height: 120))
  }

  @Test func `a view that is zoomed before its bytes arrive gets the pixels that the zoom requires`() async {
    let (view, future) = (imageView(160), fixture.future())
    window.addSubview(view)
    view.futureImage = future
    view.transform = CGAffineTransform(scaleX: 4, y: 4)
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    #expect(shown(view) == 640)
  }

  @Test func `a view that has become smaller or has not changed gets no new pixels`() async {
    let (view, future) = (imageView(160), fixture.future())
    window.addSubview(view)
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    let (image, decodes) = (view.image, fixture.loader.statistics.decodes)
    future.measureViews()
    view.transform = CGAffineTransform(scaleX: 0.5, y: 0.5)
    future.measureViews()
    await fixture.loader.waitForIdle()
    #expect(view.image === image)
    #expect(fixture.loader.statistics.decodes == decodes)
  }

  @Test func `only the view that has grown gets more pixels`() async {
    let (list, detail, future) = (imageView(160), imageView(160), fixture.future())
    list.futureImage = future
    detail.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    detail.bounds.size = CGSize(width: 640, height: 480)
    future.measureViews()
    await fixture.loader.waitForIdle()
    #expect(shown(list) == 160)
    #expect(shown(detail) == 640)
  }

  @Test func `measuring does not replace an image that the app has set in the view`() async {
    let (view, future) = (imageView(160), fixture.future())
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    let other = SampleImage.image()
    view.image = other
    view.bounds.size = CGSize(width: 640, height: 480)
    future.measureViews()
    await fixture.loader.waitForIdle()
    #expect(view.image === other)
  }

  @Test func `measuring a view before its image arrives starts no second request`() async {
    let (view, future) = (imageView(160), fixture.future())
    view.futureImage = future
    await fixture.held.waitForHeld()
    future.measureViews()
    await fixture.serve()
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    // Measuring a future without a source is safe.
    FutureImage().measureViews()
  }

  @Test func `after a failure, measuring the views requests the image again only if a view has grown`() async {
    let (fixture, renditions, view) = (LoaderFixture { $0.retry = .never }, RenditionSource(), imageView(160))
    let future = FutureImage(renditions.source(), loader: fixture.loader)
    renditions.fail(FutureImage.Failure(.status(503)))
    view.display(future, .init(failureImage: SampleImage.image(10, 10)))
    await fixture.loader.waitForIdle()
    #expect(renditions.asked.count == 1)
    for _ in 0..<3 {
      future.measureViews()
      await fixture.loader.waitForIdle()
    }
    #expect(renditions.asked.count == 1)
    #expect(shown(view) == 10)
    view.bounds.size = CGSize(width: 640, height: 480)
    future.measureViews()
    await fixture.loader.waitForIdle()
    #expect(renditions.asked.count == 2)
    #expect(shown(view) ?? 0 >= 640)
  }

  @Test func `measuring a view does not request its canceled image again`() async {
    let (fixture, renditions, view) = (LoaderFixture { $0.retry = .never }, RenditionSource(), imageView(160))
    renditions.hold()
    let future = FutureImage(renditions.source(), loader: fixture.loader)
    view.futureImage = future
    await renditions.waitForCalls()
    future.cancel()
    await renditions.waitForCancellations()
    await fixture.loader.waitForIdle()
    future.measureViews()
    await fixture.loader.delivered()
    #expect(renditions.asked.count == 1)
    #expect(future.failure?.reason == .cancelled)
  }

  @Test func `measuring right after a cancellation requests nothing`() async {
    let decoder = GatedDecoder()
    let (fixture, view) = (LoaderFixture { $0.decoder = decoder }, imageView(160))
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    decoder.close()
    view.futureImage = future
    future.cancel()
    future.measureViews()
    #expect(!future.requestsPixels && !future.requestsBytes)
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .cancelled)
  }

  @Test func `measuring ends the binding of a view that no longer shows an image of the future`() async {
    let (view, future) = (imageView(160), fixture.future())
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    #expect(future.isBound && future.retainedBytes == nil)
    view.image = nil
    future.measureViews()
    #expect(!future.isBound)
  }

  @Test(arguments: [(CGSize(width: 0, height: 100), true), (CGSize(width: 100, height: 0), true), (CGSize(width: 100, height: 50), false)])
  func `a view without a size is measured with the size of its window, if the window has a size`(size: CGSize, isUnknown: Bool) {
    let (window, view) = (UIWindow(frame: CGRect(origin: .zero, size: size)), imageView(0))
    window.addSubview(view)
    let scale = view.pixelsPerPoint
    let pixels = FutureImage.PixelSize(width: Int(size.width * scale.width), height: Int(size.height * scale.height))
    #expect(view.pixelBox == (isUnknown ? nil : pixels))
  }

  @Test func `a view's pixels per point depend on the display scale, and, if the view is in a window, also on the view's transform`() {
    let (view, container) = (imageView(160), UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 200)))
    container.addSubview(view)
    view.transform = CGAffineTransform(scaleX: 3, y: 3)
    view.traitOverrides.displayScale = 2
    #expect(view.pixelsPerPoint == CGSize(width: 2, height: 2))
    window.addSubview(container)
    #expect(view.pixelsPerPoint == CGSize(width: 6, height: 6))
  }

  @Test(arguments: [
    (CGAffineTransform.identity, CGAffineTransform.identity, CGSize(width: 1, height: 1)),
    (CGAffineTransform(scaleX: 3, y: 3), .identity, CGSize(width: 3, height: 3)),
    (CGAffineTransform(scaleX: 2, y: 0.5), .identity, CGSize(width: 2, height: 1)),
    (CGAffineTransform(scaleX: 2, y: 2), CGAffineTransform(scaleX: 2, y: 2), CGSize(width: 4, height: 4)),
    (CGAffineTransform(scaleX: 4, y: 4), CGAffineTransform(scaleX: 0.5, y: 0.5), CGSize(width: 2, height: 2)),
    (CGAffineTransform(rotationAngle: .pi / 4), .identity, CGSize(width: 1, height: 1)),
    (CGAffineTransform(scaleX: 2, y: 1), CGAffineTransform(rotationAngle: .pi / 2), CGSize(width: 2, height: 1))
  ])
  func `transforms of a view and its superview can increase but never decrease the view's pixels per point`(
    inner: CGAffineTransform, outer: CGAffineTransform, zoom: CGSize
  ) {
    let (view, container) = (imageView(160), UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 200)))
    view.transform = inner
    container.transform = outer
    window.addSubview(container)
    container.addSubview(view)
    let scale = max(view.traitCollection.displayScale, 1)
    #expect(abs(view.pixelsPerPoint.width / scale - zoom.width) < 1e-6)
    #expect(abs(view.pixelsPerPoint.height / scale - zoom.height) < 1e-6)
  }
}
#endif
