import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The content of a SwiftUI view, and its requests.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FutureImageViewTests {
  private let decoded = Lock<[Int]>([])
  private let fixture: LoaderFixture

  init() {
    let decoded = decoded
    fixture = LoaderFixture(disk: .temporary()) {
      $0.retry = .never
      $0.onEvent = { _, event in
        if case .decoded(let width, _, _) = event { decoded.withLock { $0.append(width) } }
      }
    }
  }

  /// Returns when the main thread has done its earlier work and has evaluated the bodies that this work invalidated.
  private func settle() async {
    await fixture.loader.waitForIdle()
    for _ in 0..<3 { await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } } }
  }

  @Test func `evaluating a body requests no pixels, and a view that is never laid out has no subscription`() async {
    let view = BodyHarness(fixture.future())
    for _ in 0..<3 { view.update() }
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    await settle()
    #expect(fixture.loader.statistics.decodes == 0)
    #expect(view.future?.bindings.isEmpty == true)
  }

  @Test func `an image that arrives causes one body evaluation, and is decoded for the size of the view`() async {
    let view = BodyHarness(fixture.future())
    view.start()
    view.measure()
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    await settle()
    #expect(view.content?.image?.cgImage?.width == 160)
    #expect(view.bodies == 2 && view.lateBodies == 0)
    #expect(view.content?.arrivals == 1)
    #expect(decoded.withLock { $0 } == [160])
  }

  @Test func `the first body shows, without a transition, the pixels that another view of the future already shows`() async {
    let future = fixture.future()
    let image = imageView(160)
    image.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    let view = BodyHarness(future)
    view.update()
    #expect(view.content?.image != nil)
    view.layOut()
    view.appear()
    view.measure()
    await settle()
    #expect(view.content?.image?.cgImage?.width == 160)
    #expect(view.content?.arrivals == 0 && view.bodies == 1)
    #expect(decoded.withLock { $0 } == [160])
  }

  @Test func `a row that is laid out gets its pixels, even if it never appears and never reports its geometry`() async {
    let view = BodyHarness(fixture.future())
    view.update()
    view.layOut()
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    await settle()
    #expect(view.content?.image?.cgImage?.width == 160)
  }

  @Test func `a view whose layout reports no size gets its pixels when its geometry is reported`() async {
    let view = BodyHarness(fixture.future())
    view.update()
    view.appear()
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    await settle()
    #expect(view.content?.image == nil)
    view.measure()
    await settle()
    #expect(view.content?.image?.cgImage?.width == 160)
  }

  @Test func `the image of one row causes no body evaluation of another row`() async {
    let rows = ["a", "b"].map { BodyHarness(fixture.future($0)) }
    for row in rows {
      row.start()
    }
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("a"), with: SampleImage.jpeg(640, 480))
    await waitUntil { rows[0].content?.image != nil }
    #expect(rows.map(\.bodies) == [2, 1])
    fixture.held.resolve(LoaderFixture.url("b"), with: SampleImage.jpeg(640, 480))
    await settle()
    #expect(rows.map(\.bodies) == [2, 2])
  }

  @Test func `after a view changes to another future, a late layout for the first future does not show the first image`() async {
    let (first, second) = (fixture.future(), fixture.future("b"))
    let view = BodyHarness(first)
    view.start()
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("a"), with: SampleImage.jpeg(640, 480))
    await waitUntil { view.content?.image != nil }
    view.future = second
    view.update()
    #expect(view.content?.image == nil)
    view.change()
    view.layOutLate(first)
    #expect(first.bindings.allSatisfy { !$0.isCurrent } && second.bindings.count == 1)
    view.future = nil
    view.update()
    view.change()
    view.layOutLate(second)
    #expect(view.content?.image == nil && view.content?.failure == nil)
    #expect(second.bindings.allSatisfy { !$0.isCurrent })
    fixture.held.resolve(LoaderFixture.url("b"), with: SampleImage.jpeg(640, 480))
    await settle()
  }

  @Test func `a view that disappears releases its pixels, and requests them again when it appears`() async {
    let view = BodyHarness(fixture.future())
    view.start()
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    await settle()
    view.disappear()
    view.layOutLate(view.future)
    #expect(view.future?.bindings.allSatisfy { !$0.isCurrent } == true)
    view.appear()
    view.update()
    #expect(view.content?.image?.cgImage?.width == 160)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `when a thousand rows are released without a call of disappear, no subscription remains`() async {
    var futures: [FutureImage] = []
    var rows: [BodyHarness] = []
    for number in 0..<1_000 {
      let future = FutureImage(.data(key: "\(number % 50)") { SampleImage.jpeg(320, 240) }, loader: fixture.loader)
      futures.append(future)
      let row = BodyHarness(future)
      // SwiftUI makes the initial values of state again with each body of the parent, and evaluates bodies of views that never appear.
      _ = BodyHarness(future)
      row.update()
      row.layOut()
      if number.isMultiple(of: 2) { row.appear() }
      rows.append(row)
      // SwiftUI retains the state of a few rows that were scrolled away.
      if rows.count > 30 { rows.removeFirst() }
    }
    await settle()
    #expect(rows.allSatisfy { $0.content?.image?.cgImage?.width == 160 })
    #expect(rows.allSatisfy { $0.lateBodies == 0 })
    rows = []
    await settle()
    #expect(futures.allSatisfy { future in future.bindings.allSatisfy { !$0.isCurrent } })
    #expect(decoded.withLock { $0 }.allSatisfy { $0 == 160 })
  }

  @Test func `a view that changes to dark mode shows the light image until the dark image arrives`() async {
    let photo = FutureImage(.url(LoaderFixture.url("light")).inDarkMode(use: .url(LoaderFixture.url("dark"))), loader: fixture.loader)
    let view = BodyHarness(photo)
    view.start()
    await fixture.serve("light", TestColor.red.jpeg())
    await settle()
    #expect(TestColor.red.isNearly(view.content?.image?.color))
    view.isDark = true
    view.update()
    view.change()
    await fixture.held.waitForHeld()
    #expect(TestColor.red.isNearly(view.content?.image?.color))
    await fixture.serve("dark", TestColor.blue.jpeg())
    await settle()
    #expect(TestColor.blue.isNearly(view.content?.image?.color))
    view.isDark = false
    view.update()
    view.change()
    await settle()
    #expect(TestColor.red.isNearly(view.content?.image?.color))
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `a view in dark mode neither fetches nor shows the light image`() async {
    let photo = FutureImage(.url(LoaderFixture.url("light")).inDarkMode(use: .url(LoaderFixture.url("dark"))), loader: fixture.loader)
    let view = BodyHarness(photo)
    view.isDark = true
    view.start()
    await fixture.serve("dark", TestColor.blue.jpeg())
    await settle()
    #expect(TestColor.blue.isNearly(view.content?.image?.color))
    #expect(fixture.held.requests.map(\.url) == [LoaderFixture.url("dark")])
    let other = imageView(160)
    other.futureImage = photo
    await fixture.serve("light", TestColor.red.jpeg())
    let second = BodyHarness(photo)
    second.isDark = true
    second.update()
    #expect(TestColor.blue.isNearly(second.content?.image?.color))
  }

  @Test func `a failure causes a body evaluation, and so does a reload that ends the failure`() async {
    let view = BodyHarness(fixture.future())
    view.start()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await settle()
    #expect(view.content?.failure?.reason == .status(404) && view.bodies == 2)
    #expect(view.content?.isLoading == false)
    view.future?.reload()
    await fixture.held.waitForRequests(2)
    await waitUntil { view.content?.isLoading == true }
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    await settle()
    #expect(view.content?.image?.cgImage?.width == 160 && view.content?.failure == nil)
  }

  @Test func `a view of a future that has failed shows the failure without another request`() async {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    let view = BodyHarness(future)
    view.update()
    view.layOut()
    await settle()
    #expect(view.content?.failure?.reason == .status(404))
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a view that grows gets more pixels when its layout or its geometry reports the size`() async {
    let view = BodyHarness(fixture.future())
    view.start()
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    await settle()
    view.size = CGSize(width: 160, height: 120)
    view.layOut()
    await settle()
    #expect(view.content?.image?.cgImage?.width == 320)
    view.size = CGSize(width: 320, height: 240)
    view.measure()
    await settle()
    #expect(view.content?.image?.cgImage?.width == 640)
    #expect(view.lateBodies == 0)
  }

  @Test func `before any layout, the first body shows the pixels that a task has awaited`() async throws {
    let future = fixture.future()
    async let awaited = future.value(fitting: .fill(width: 320, height: 240))
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    let image = try await awaited
    let view = BodyHarness(future)
    view.update()
    #expect(view.content?.image === image)
  }

  @Test func `if another future has pixels in the pool, the first body of a template future shows them as a template`() async throws {
    let photo = fixture.future()
    // The template is made before there are pixels. Otherwise, it would have the pixels itself.
    let icon = try #require(photo.withRenderingMode(.alwaysTemplate) as? FutureImage)
    icon.start()
    let image = imageView(160)
    image.futureImage = photo
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    let view = BodyHarness(icon)
    view.update()
    #expect(view.content?.image?.renderingMode == .alwaysTemplate)
    let first = view.content?.image
    view.layOut()
    view.appear()
    await settle()
    // The body is evaluated once more, without a transition, when the future itself has the image.
    #expect(view.content?.image === first && view.content?.arrivals == 0)
    #expect(view.bodies == 2 && view.lateBodies == 0)
  }

  @Test func `the pixels of a long list stay within the loader's limit while rows appear and are released`() async {
    let pixels = 160 * 120 * 4
    let smallPool = LoaderFixture(disk: .temporary()) { $0.maxPixelBytes = 20 * pixels }
    var rows: [BodyHarness] = []
    var most = 0
    for number in 0..<200 {
      let row = BodyHarness(FutureImage(.data(key: "\(number)") { SampleImage.jpeg(320, 240) }, loader: smallPool.loader))
      row.start()
      rows.append(row)
      if rows.count > 10 { rows.removeFirst() }
      await smallPool.loader.waitForIdle()
      most = max(most, smallPool.loader.pixelBytes)
    }
    #expect(most == 20 * pixels)
    #expect(smallPool.loader.statistics.decodes == 200)
  }

  #if DEBUG
  @Test func `rows whose size is a guess cause one warning in total if they are laid out before they appear`() throws {
    let written = Lock<[String]>([])
    let warnings = DeveloperWarnings { text in written.withLock { $0.append(text) } }
    let plain = BodyHarness(fixture.future(), warnings: warnings)
    plain.appear()
    plain.layOut(isGuess: true)
    BodyHarness(nil, warnings: warnings).layOut(isGuess: true)
    BodyHarness(fixture.future(), warnings: warnings).layOut()
    #expect(written.withLock { $0 } == [])
    for _ in 0..<2 { BodyHarness(fixture.future("b"), warnings: warnings).layOut(isGuess: true) }
    let text = try #require(written.withLock { $0.count == 1 ? $0.first : nil })
    #expect(text.contains("\(LoaderFixture.url("b"))") && text.contains("pass a ratio"))
  }
  #endif
}
