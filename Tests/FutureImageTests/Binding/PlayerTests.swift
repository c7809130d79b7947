#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The playback of animations in views.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PlayerTests {
  let decoder = FrameDecoder()
  let fixture: LoaderFixture
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  private let events = Lock<[String]>([])

  init() {
    let (decoder, events) = (decoder, events)
    fixture = LoaderFixture {
      $0.decoder = decoder
      $0.onEvent = { _, event in
        if case .reducedAnimation = event { events.withLock { $0.append(event.description) } }
      }
    }
  }

  func view(_ width: CGFloat = 64) -> UIImageView {
    let view = imageView(width)
    window.addSubview(view)
    return view
  }

  func future(_ name: String = "a") -> FutureImage { fixture.future(name) }

  /// Answers the request with the file of an animation.
  func serve(_ name: String = "a", _ animation: FrameDecoder.File = .init()) async {
    await fixture.serve(name, file(animation))
  }

  private func file(_ animation: FrameDecoder.File) -> Data { (try? JSONEncoder().encode(animation)) ?? Data() }

  /// Advances the clock in one step, and waits until the view shows the frame.
  func advance(_ seconds: Double, until view: UIImageView, shows index: Int) async {
    await waitWhile(fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .milliseconds(Int64((seconds * 1_000).rounded())))
    await waitWhile(view.image?.frameIndex != index)
    await fixture.loader.waitForIdle()
  }

  // MARK: Frames

  @Test func `a view in a window shows each frame for its duration, and begins again after the last frame`() async {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve("a", .init(durations: [0.1, 0.3, 0.2]))
    #expect(view.image?.frameIndex == 0)
    for (seconds, index) in [(0.1, 1), (0.3, 2), (0.2, 0), (0.1, 1)] {
      await waitWhile(fixture.clock.waits.isEmpty)
      #expect(fixture.clock.waits.last == .milliseconds(Int64(seconds * 1_000)))
      await advance(seconds, until: view, shows: index)
      #expect(view.image?.color == FrameDecoder.color(index))
    }
    #expect(view.futureImage == nil)
  }

  @Test func `all views of an image show the same object, and each frame is decoded once`() async {
    let (views, future) = ([view(), view(), view()], future())
    for view in views { view.futureImage = future }
    await serve()
    for index in [1, 2, 3, 4, 0, 1] {
      await advance(0.1, until: views[0], shows: index)
      #expect(views.allSatisfy { $0.image === views[0].image })
    }
    // Two frames are decoded ahead of the frame that is shown. The first frame stays in memory.
    #expect(decoder.decoded.withLock { $0 } == [0, 1, 2, 3, 4, 1, 2, 3])
  }

  @Test func `two sizes of an image show the same frame at the same time`() async {
    let (small, large, future) = (view(64), view(600), future())
    small.futureImage = future
    await serve()
    await advance(0.1, until: small, shows: 1)
    large.futureImage = future
    #expect(large.image?.color == FrameDecoder.color(1))
    await fixture.loader.waitForIdle()
    await advance(0.1, until: small, shows: 2)
    #expect(large.image?.frameIndex == 2)
    #expect((large.image?.cgImage?.width ?? 0) > (small.image?.cgImage?.width ?? 0))
  }

  @Test func `a view that is bound later shows the current frame at once`() async {
    let (first, future) = (view(), future())
    first.futureImage = future
    await serve()
    await advance(0.1, until: first, shows: 1)
    let second = view()
    second.futureImage = future
    #expect(second.image === first.image && second.image?.frameIndex == 1)
  }

  @Test func `views go on playing an animation after its future is released`() async {
    let view = view()
    var future: FutureImage? = future()
    view.futureImage = future
    await serve()
    future = nil
    await advance(0.1, until: view, shows: 1)
    _ = future
  }

  @Test func `each frame has the future's rendering mode`() async {
    let (view, future) = (view(), future())
    view.futureImage = future.withRenderingMode(.alwaysTemplate) as? FutureImage
    await serve()
    await advance(0.1, until: view, shows: 1)
    #expect(view.image?.renderingMode == .alwaysTemplate)
  }

  // MARK: Windows

  @Test func `an animation plays only while a view in a window shows it, and continues where it stopped`() async {
    let (view, future) = (imageView(64), future())
    view.futureImage = future
    await serve()
    #expect(fixture.clock.waits.isEmpty)
    window.addSubview(view)
    await advance(0.1, until: view, shows: 1)
    view.removeFromSuperview()
    await waitWhile(!fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .seconds(10))
    #expect(view.image?.frameIndex == 1)
    window.addSubview(view)
    await fixture.loader.waitForIdle()
    #expect(view.image?.frameIndex == 1)
    await advance(0.1, until: view, shows: 2)
  }

  @Test func `an image that the app sets ends the playback in its view`() async {
    let (view, other, future) = (view(), view(), future())
    for view in [view, other] { view.futureImage = future }
    await serve()
    let own = SampleImage.image(4, 4)
    view.image = own
    await advance(0.1, until: other, shows: 1)
    #expect(view.image === own)
    other.image = own
    await waitWhile(fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .milliseconds(100))
    await waitWhile(!fixture.clock.waits.isEmpty)
  }

  @Test func `if a view is bound to another future of the same image, only the newer future has a current binding`() async {
    let (view, former, newer) = (view(), future(), future())
    view.futureImage = former
    await serve()
    view.futureImage = newer
    await advance(0.1, until: view, shows: 1)
    #expect(newer.bindings.contains { $0.isCurrent })
    #expect(!former.bindings.contains { $0.isCurrent })
  }

  @Test func `a subscription that requests an image at a size in pixels plays the image's animation`() async {
    let future = future()
    var shown: [Int?] = []
    let subscription = FutureImage.Subscription(of: future, fitting: .square(64)) { shown.append($0.image?.frameIndex) }
    await serve()
    for index in 1...2 {
      await waitWhile(fixture.clock.waits.isEmpty)
      fixture.clock.advance(by: .milliseconds(100))
      await waitWhile(shown.last != index)
      await fixture.loader.waitForIdle()
    }
    #expect(shown == [0, 1, 2])
    await waitWhile(fixture.clock.waits.isEmpty)
    subscription.end()
    fixture.clock.advance(by: .milliseconds(100))
    await waitWhile(!fixture.clock.waits.isEmpty)
    #expect(shown == [0, 1, 2, nil])
  }

  @Test func `in SwiftUI, the first frame fades in, and the next frames do not`() async {
    let (shown, future) = (ShownImage(), future())
    shown.appear(future, .init(size: CGSize(width: 64, height: 48), isFilled: false, scale: 1, isDark: false))
    await serve()
    // The SwiftUI view fades when this number changes.
    let arrivals = shown.content(of: future, isDark: false).arrivals
    await waitWhile(fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .milliseconds(100))
    await waitWhile(shown.content(of: future, isDark: false).image?.frameIndex != 1)
    #expect(arrivals == 1 && shown.content(of: future, isDark: false).arrivals == 1)
  }

  // MARK: Control

  @Test func `an animation repeats as often as its file states, and then shows its last frame until the app plays it again`() async throws {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve("a", .init(durations: [0.1, 0.1], plays: 2))
    for index in [1, 0, 1] { await advance(0.1, until: view, shows: index) }
    await waitWhile(fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .milliseconds(100))
    let player = try #require(future.player)
    await waitWhile(!player.isPaused)
    #expect(view.image?.frameIndex == 1 && fixture.clock.waits.isEmpty)
    player.isPaused = false
    #expect(view.image?.frameIndex == 0)
    await advance(0.1, until: view, shows: 1)
  }

  @Test func `if the app sets the time of a paused animation, the view shows the frame for that time`() async throws {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve()
    let player = try #require(future.player)
    player.isPaused = true
    await waitWhile(!fixture.clock.waits.isEmpty)
    player.time = 0.35
    await waitWhile(view.image?.frameIndex != 3)
    #expect(abs(player.time - 0.35) < 1e-9 && player.duration == 0.5 && player.frameCount == 5)
    player.isPaused = false
    await waitWhile(fixture.clock.waits.isEmpty)
    #expect(fixture.clock.waits == [.milliseconds(50)])
    await advance(0.05, until: view, shows: 4)
    player.time = -1
    #expect(view.image?.frameIndex == 0)
    player.time = .nan
    #expect(view.image?.frameIndex == 0)
  }

  @Test func `an animation that was paused in the middle of a frame shows that frame for its remaining time`() async throws {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve()
    let player = try #require(future.player)
    await waitWhile(fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .milliseconds(40))
    player.isPaused = true
    #expect(abs(player.time - 0.04) < 1e-9)
    await waitWhile(!fixture.clock.waits.isEmpty)
    player.isPaused = false
    await waitWhile(fixture.clock.waits.isEmpty)
    #expect(fixture.clock.waits == [.milliseconds(60)])
  }

  @Test func `an animation whose time is set to its end continues with the first frame`() async throws {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve()
    let player = try #require(future.player)
    for index in [1, 2, 3, 4] { await advance(0.1, until: view, shows: index) }
    player.time = player.duration
    #expect(view.image?.frameIndex == 0)
    await advance(0.1, until: view, shows: 1)
  }

  @Test func `at double speed, each frame is shown for half of its time, and an invalid speed has no effect`() async throws {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve()
    let player = try #require(future.player)
    for speed in [0, -1, .infinity, .nan] { player.speed = speed }
    #expect(player.speed == 1)
    player.speed = 2
    await waitWhile(fixture.clock.waits != [.milliseconds(50)])
    await advance(0.05, until: view, shows: 1)
  }

  @Test func `a future has no player before its image arrives, or if the image is not animated`() async {
    let future = future()
    #expect(future.player == nil)
    await serve("a", .init(durations: [0.1]))
    #expect(await (try? future.value) != nil)
    #expect(future.player == nil)
  }

  // MARK: Decodes

  @Test func `a frame that is not ready when it is due is shown later, and is not skipped`() async {
    let (view, future) = (view(), future())
    view.futureImage = future
    decoder.gate.hold()
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: file(.init()))
    await waitWhile(fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .seconds(3))
    await waitWhile(future.player?.time != 0.1)
    #expect(view.image?.frameIndex == 0)
    decoder.gate.open()
    await waitWhile(view.image?.frameIndex != 1)
    await fixture.loader.waitForIdle()
    #expect(view.image?.frameIndex == 1)
    await advance(0.1, until: view, shows: 2)
  }

  @Test func `an animation plays only the frames before a frame that cannot be decoded, and the loader reports an event`() async {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve("a", .init(durations: [0.1, 0.1, 0.1, 0.1], broken: 2))
    await advance(0.1, until: view, shows: 1)
    await advance(0.1, until: view, shows: 0)
    #expect(events.withLock { $0.count } == 1)
    #expect(events.withLock { $0.first }?.contains("plays 2 of its 4 frames") == true)
  }

  @Test func `after a reload, the new animation begins with its first frame`() async {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve()
    await advance(0.1, until: view, shows: 1)
    future.reload()
    await serve("a", .init(durations: [0.2, 0.2], first: 7))
    await waitWhile(view.image?.color != FrameDecoder.color(7))
    await waitWhile(fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .milliseconds(200))
    await waitWhile(view.image?.color != FrameDecoder.color(8))
  }

  @Test func `after a reload, the former animation ends`() async {
    let (view, future) = (view(), future())
    view.futureImage = future
    await serve()
    weak var former: FutureImage.Player?
    former = future.player
    #expect(former != nil)
    future.reload()
    await serve("a", .init(durations: [9, 9], first: 7))
    await waitWhile(view.image?.color != FrameDecoder.color(7))
    fixture.clock.advance(by: .milliseconds(100))
    await waitWhile(former != nil)
    #expect(view.image?.color == FrameDecoder.color(7))
  }
}
#endif
