#if canImport(UIKit) || canImport(UIKitStandIn)
#if canImport(SwiftUI) && canImport(UIKit)
import FutureImageTesting
import SwiftUI
import Testing

@testable import FutureImage

/// Row 28 of the report that `Tests/first-run` writes: the SwiftUI view in a hosting controller. The library's tests on Linux assume the
/// facts about SwiftUI in `Tests/AppleFrameworks.md`, S1 to S19. Nobody has checked these facts on a device. The comment of each test names
/// the facts that the test examines.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HostingTests {
  private let stage: Stage
  /// The widths of the decoded pixels.
  private let decoded = Lock<[Int]>([])
  /// The phases of the bodies and the names of other calls, in the order in which SwiftUI makes them.
  private let calls = Lock<[String]>([])

  init() {
    let decoded = decoded
    stage = Stage { _, event in
      if case .decoded(let width, _, _) = event { decoded.withLock { $0.append(width) } }
    }
  }

  /// Returns a view that records the phase of each body.
  private func recorded(_ future: FutureImage?) -> FutureImageView<FutureImageContent> {
    FutureImageView(future, contentMode: .fill) { [calls] phase in
      let name =
        switch phase {
        case .loading: "loading"
        case .ready: "ready"
        case .failed: "failed"
        }
      calls.withLock { $0.append(name) }
      return FutureImageContent(phase: phase, placeholder: nil, contentMode: .fill)
    }
  }

  private func waitForPhoto(in controller: UIViewController) async throws {
    try await eventually("the view draws the photo; its pixel is \((try? controller.middlePixel()).debugDescription)") {
      Pixels.isPhoto(try controller.middlePixel())
    }
  }

  /// If this test fails, other tests of this suite fail because of their environment, and not because of the library. Examines the fact
  /// S18: whether an `Image` of a UIImage has the colors of an `Image` of its bitmap.
  @Test func `a hosting controller draws an image without a future`() async throws {
    let image = Pixels.image()
    let bitmap = try #require(image.cgImage)
    let ofBitmap = stage.host(Image(decorative: bitmap, scale: 1).resizable().frame(width: 100, height: 75))
    try await waitForPhoto(in: ofBitmap)
    record(28, "pixel of an Image of a bitmap", try ofBitmap.middlePixel())
    let ofImage = stage.host(Image(uiImage: image).resizable().frame(width: 100, height: 75))
    try await waitForPhoto(in: ofImage)
    record(28, "pixel of an Image of a UIImage", try ofImage.middlePixel())
  }

  /// Examines the facts S1 and S10: SwiftUI evaluates the first body before the first frame. The test reads the first frame without
  /// waiting.
  @Test func `the first frame of a view has pixels if another view already shows the image`() async throws {
    let future = try stage.future()
    let image = stage.makeImageView()
    image.futureImage = future
    await stage.serve()
    try #require(image.image?.cgImage != nil)
    let controller = stage.host(
      recorded(future).frame(width: 100, height: 75).onAppear { [calls] in calls.withLock { $0.append("onAppear") } })
    let pixel = try controller.view.drawnPixel(CGPoint(x: 0.5, y: 0.5))
    record(28, "calls until the first frame of a loaded image", calls.withLock { $0 })
    #expect(calls.withLock { $0.first } == "ready")
    #expect(Pixels.isPhoto(pixel))
  }

  /// Examines the fact S13: SwiftUI evaluates a body again when the image that it has read changes.
  @Test func `a hosted view draws its image when the image arrives`() async throws {
    let controller = stage.host(recorded(try stage.future()).frame(width: 100, height: 75))
    #expect(!Pixels.isPhoto(try controller.middlePixel()))
    await stage.serve()
    try await waitForPhoto(in: controller)
    record(28, "phases of the bodies of a view whose image arrives", calls.withLock { $0 })
    #expect(calls.withLock { $0.first } == "loading" && calls.withLock { $0.last } == "ready")
  }

  /// Examines the facts S5 and S7: the view knows its size before the bytes arrive, from the layout or from the geometry.
  @Test func `a view decodes its image once, at the size in pixels that it shows`() async throws {
    let controller = stage.host(recorded(try stage.future()).frame(width: 80, height: 60))
    await stage.serve()
    try await waitForPhoto(in: controller)
    try await stage.loader.waitUntilIdle(within: .standard)
    let scale = controller.traitCollection.displayScale
    record(28, "display scale, and the widths that were decoded", "\(scale) \(decoded.withLock { $0 })")
    #expect(stage.loader.statistics.decodes == 1)
    // At scales 1, 2, and 3, the decode steps of an image of 640 pixels are an eighth, a quarter, and three eighths.
    #expect(decoded.withLock { $0 } == [Int(80 * scale)])
  }

  /// Examines the fact S9: whether SwiftUI makes the initial value of the state once, or again with each body of the parent.
  @Test func `a view still has one subscription after its parent's body is evaluated again`() async throws {
    let future = try stage.future()
    let controller = stage.host(Column(futures: [future], gap: 0))
    await stage.serve()
    for gap in 1...20 {
      controller.rootView = Column(futures: [future], gap: CGFloat(gap))
      _ = try controller.middlePixel()
    }
    try await eventually("one subscription shows the image, not \(future.reader?.standingViews ?? 0)") { future.reader?.standingViews == 1 }
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(stage.loader.statistics.decodes == 1)
  }

  /// Examines the facts S2 and S11. The subscription must end whether or not SwiftUI calls `onDisappear`.
  @Test func `the subscription ends when the view is removed`() async throws {
    let future = try stage.future()
    let controller = stage.host(Column(futures: [future]) { [calls] in calls.withLock { $0.append("onDisappear") } })
    await stage.serve()
    try await waitForPhoto(in: controller)
    #expect(future.reader?.standingViews == 1)
    controller.rootView = Column(futures: [])
    try await eventually("no subscription shows the image") {
      _ = try controller.middlePixel()
      return future.reader?.standingViews == 0
    }
    record(28, "calls until the subscription of a removed view ended", calls.withLock { $0 })
  }

  /// Examines the facts S1, S2, and S11. SwiftUI may retain rows and their subscriptions for a while, if their number does not grow.
  @Test func `at most 100 rows of a lazy stack have subscriptions, and none after the hosting controller is released`() async throws {
    let data = Pixels.jpeg(320)
    let futures = (0..<500).map { FutureImage(.data(key: "\($0)") { data }, loader: stage.loader) }
    var controller: UIHostingController<LazyColumn>? = stage.host(LazyColumn(futures: futures, calls: calls))
    let view = try #require(controller?.view)
    let subscribedRows = { futures.count { ($0.reader?.standingViews ?? 0) > 0 } }
    let visible = Int(stage.window.bounds.height / LazyColumn.height)
    try await eventually("at least \(visible) rows have subscriptions, not \(subscribedRows())") {
      view.layoutIfNeeded()
      return subscribedRows() >= visible
    }
    record(28, "subscriptions of 500 rows before they are scrolled", subscribedRows())
    record(28, "bodies of 500 rows before they are scrolled", Set(calls.withLock { $0.filter { $0.hasPrefix("body") } }).count)
    #expect(subscribedRows() <= 100)
    let scrollView = try #require(view.first(UIScrollView.self))
    var most = 0
    for row in stride(from: 0, to: futures.count - visible, by: visible / 2) {
      scrollView.setContentOffset(CGPoint(x: 0, y: CGFloat(row) * LazyColumn.height), animated: false)
      view.layoutIfNeeded()
      CATransaction.flush()
      await Task.yield()
      most = max(most, subscribedRows())
    }
    record(28, "most subscriptions while 500 rows are scrolled", most)
    try await eventually("at most 100 rows have subscriptions, not \(subscribedRows())") {
      view.layoutIfNeeded()
      return subscribedRows() <= 100
    }
    record(28, "subscriptions of 500 rows after they are scrolled", subscribedRows())
    stage.window.rootViewController = nil
    controller = nil
    try await eventually("no row has a subscription, not \(subscribedRows())") { subscribedRows() == 0 }
  }

  /// Examines the facts S6 and S12.
  @Test func `a view of an image with an unknown size does not change its own size when the image arrives`() async throws {
    let sizes = Lock<[CGSize]>([])
    let controller = stage.host(
      recorded(try stage.future()).frame(width: 200).fixedSize(horizontal: false, vertical: true)
        .onGeometryChange(for: CGSize.self) {
          $0.size
        } action: { size in
          sizes.withLock { $0.append(size) }
        })
    let offered = CGSize(width: 320, height: 480)
    #expect(controller.sizeThatFits(in: offered) == CGSize(width: 200, height: 150))
    // The ratio of this image is not the view's 4:3.
    let color = TestImage.Color(red: 200, green: 80, blue: 40)
    await stage.serve(TestImage(width: 640, height: 200, color: color).jpeg)
    try await waitForPhoto(in: controller)
    #expect(controller.sizeThatFits(in: offered) == CGSize(width: 200, height: 150))
    #expect(Set(sizes.withLock { $0.map(\.height) }) == [150])
  }

  /// Examines the fact S13, and whether the environment's color scheme follows the window.
  @Test func `a view shows the dark image in a dark window, and the light image after the window is light again`() async throws {
    let (light, dark) = (
      try #require(URL(string: "https://images.test/light")), try #require(URL(string: "https://images.test/dark"))
    )
    stage.window.overrideUserInterfaceStyle = .light
    let photo = FutureImage(.url(light).inDarkMode(use: .url(dark)), loader: stage.loader)
    let controller = stage.host(FutureImageView(photo, contentMode: .fill).frame(width: 100, height: 75))
    await stage.serve()
    try await waitForPhoto(in: controller)
    stage.window.overrideUserInterfaceStyle = .dark
    try await eventually("the dark image is requested") {
      _ = try controller.middlePixel()
      return stage.fetcher.heldCount == 1
    }
    // The view shows the light image until the dark image has arrived.
    #expect(Pixels.isPhoto(try controller.middlePixel()))
    await stage.serve(TestImage(width: 640, height: 480, color: .blue).jpeg)
    try await eventually("the view draws the dark image") {
      let pixel = try controller.middlePixel()
      return pixel[2] > 180 && pixel[0] < 80
    }
    stage.window.overrideUserInterfaceStyle = .light
    try await waitForPhoto(in: controller)
    #expect(stage.fetcher.requests.map(\.url) == [light, dark])
  }

  /// Examines the facts S3 and S4.
  @Test func `a view counts as one subview of its layout, even if it has no future or its closure returns several views`() async throws {
    let counts = Lock<[Int]>([])
    let counter = SubviewCounter { count in counts.withLock { $0.append(count) } }
    let future = try stage.future()
    let controller = stage.host(
      VStack {
        counter { FutureImageView(nil) }.frame(width: 200, height: 100)
        counter {
          FutureImageView(future) { phase in
            if case .ready(let image) = phase {
              image.resizable()
              Text("loaded")
            }
          }
        }
        .frame(width: 200, height: 100)
      })
    // The stack of the two views is in the middle of a window that is 480 points high. This point is in the upper view.
    let inside = CGPoint(x: 0.5, y: 0.39)
    let pixel = try controller.view.drawnPixel(inside)
    #expect(try controller.view.drawnPixel(.zero) == pixel)
    await stage.serve()
    try await eventually("a subscription shows the image") {
      _ = try controller.middlePixel()
      return future.reader?.standingViews == 1
    }
    #expect(try controller.view.drawnPixel(inside) == pixel)
    #expect(Set(counts.withLock { $0 }) == [1])
    #expect(stage.fetcher.requests.count == 1)
  }

  /// Examines the fact S13. No public API makes a touch, so the test calls `reload()`, as a tap does, and does not test the tap itself.
  @Test func `a view shows the failure of its future, and then the image after a reload`() async throws {
    let future = try stage.future()
    let controller = stage.host(recorded(future).frame(width: 100, height: 75))
    try await stage.fetcher.waitForHeld()
    stage.fetcher.answer(nil, FutureImage.Response(status: 404))
    try await eventually("the latest body shows the failure") {
      _ = try controller.middlePixel()
      return calls.withLock { $0.last } == "failed"
    }
    future.reload()
    await stage.serve()
    try await waitForPhoto(in: controller)
    record(28, "phases of the bodies of a view whose image fails and is reloaded", calls.withLock { $0 })
  }

  /// Unless the image has failed, the view's tap gesture includes only subviews (`GestureMask.subviews`). It is unknown whether a button
  /// gets the taps on a label with such a gesture. No public API makes a touch, so the test activates the button as VoiceOver does, without
  /// gestures. The record says whether the button has an accessibility element. Without the element, the test checks nothing.
  @Test func `a button whose label is a FutureImageView runs its action when VoiceOver activates the button`() async throws {
    let taps = Lock(0)
    let future = try stage.future()
    let button = Button {
      taps.withLock { $0 += 1 }
    } label: {
      FutureImageView(future, contentMode: .fill).frame(width: 100, height: 75)
    }
    let controller = stage.host(button)
    await stage.serve()
    _ = try controller.middlePixel()
    let activate = NSSelectorFromString("accessibilityActivate")
    let elements = controller.view.allAccessibilityElements
    let element = elements.first { $0.accessibilityTraits.contains(.button) && $0.responds(to: activate) }
    record(28, "accessibility elements of a button around a view, and whether one is a button", "\(elements.count) \(element != nil)")
    guard let element else { return }
    _ = element.perform(activate)
    #expect(taps.withLock { $0 } == 1)
  }

  /// Examines the fact S16: whether an `ImageRenderer` draws the first body.
  @Test func `an ImageRenderer draws an image that code has awaited`() async throws {
    let future = try stage.future()
    async let value = future.value(fitting: .fill(width: 200, height: 150))
    await stage.serve()
    let image = try await value
    let renderer = ImageRenderer(content: recorded(future).frame(width: 100, height: 75))
    renderer.scale = 2
    let bitmap = try withExtendedLifetime(image) { try #require(renderer.cgImage) }
    #expect(bitmap.width == 200 && bitmap.height == 150)
    let buffer = try #require(FutureImage.PixelBuffer(bitmap, scale: 1))
    #expect(Pixels.isPhoto(buffer[100, 75]))
    #expect(calls.withLock { $0.first } == "ready")
  }

  /// Examines the facts S7 and S8: the order of body, layout, geometry, and `onAppear`, and which of these a row gets before it
  /// appears. The test requires only the pixels, and records the rest.
  @Test func `a row in the middle of a lazy stack is drawn with its photo before and after scrolling`() async throws {
    let data = Pixels.jpeg(320)
    let futures = (0..<100).map { FutureImage(.data(key: "\($0)") { data }, loader: stage.loader) }
    let controller = stage.host(LazyColumn(futures: futures, calls: calls))
    try await waitForPhoto(in: controller)
    let scrollView = try #require(controller.view.first(UIScrollView.self))
    scrollView.setContentOffset(CGPoint(x: 0, y: 20 * LazyColumn.height), animated: false)
    try await waitForPhoto(in: controller)
    try await stage.loader.waitUntilIdle(within: .standard)
    let all = calls.withLock { $0 }
    for row in [0, 22] { record(28, "calls of row \(row)", all.filter { $0.hasSuffix(" \(row)") }) }
    let rows = { (call: String) in Set(all.filter { $0.hasPrefix("\(call) ") }.compactMap { $0.split(separator: " ").last }) }
    let early = rows("layout").subtracting(rows("onAppear"))
    record(28, "rows with a layout and without onAppear", early.count)
    record(28, "rows with a layout and a geometry, and without onAppear", early.intersection(rows("geometry")).count)
  }
}

/// A stack with a view for each future.
private struct Column: View {
  let futures: [FutureImage]
  var gap: CGFloat = 0
  var onDisappear: () -> Void = {}

  var body: some View {
    VStack(spacing: gap) {
      ForEach(futures, id: \.self) { future in
        FutureImageView(future, contentMode: .fill).frame(width: 100, height: 75).onDisappear(perform: onDisappear)
      }
    }
  }
}

/// A lazy stack whose rows record the calls of SwiftUI.
private struct LazyColumn: View {
  static let height: CGFloat = 60

  let futures: [FutureImage]
  let calls: Lock<[String]>

  var body: some View {
    ScrollView {
      LazyVStack(spacing: 0) {
        ForEach(Array(futures.enumerated()), id: \.offset) { row, future in
          Reporting(note: { note("layout", row) }) {
            FutureImageView(future, contentMode: .fill) { phase in
              let _ = note("body", row)
              FutureImageContent(phase: phase, placeholder: nil, contentMode: .fill)
            }
          }
          .frame(height: Self.height)
          .onGeometryChange(for: CGSize.self) {
            $0.size
          } action: { _ in
            note("geometry", row)
          }
          .onAppear { note("onAppear", row) }
        }
      }
    }
  }

  private nonisolated func note(_ call: String, _ row: Int) { calls.withLock { $0.append("\(call) \(row)") } }
}

/// A layout that reports when it places its subviews, and proposes its whole size to them.
private struct Reporting: Layout {
  let note: @Sendable () -> Void

  func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) -> CGSize {
    proposal.replacingUnspecifiedDimensions()
  }

  func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) {
    note()
    for subview in subviews { subview.place(at: bounds.origin, proposal: ProposedViewSize(bounds.size)) }
  }
}

/// A layout that reports the number of its subviews.
private struct SubviewCounter: Layout {
  let report: @Sendable (Int) -> Void

  func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) -> CGSize {
    proposal.replacingUnspecifiedDimensions()
  }

  func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) {
    report(subviews.count)
    for subview in subviews { subview.place(at: bounds.origin, proposal: ProposedViewSize(bounds.size)) }
  }
}
#endif
#endif
