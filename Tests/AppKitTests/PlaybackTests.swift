#if canImport(AppKit) && !canImport(UIKit)
import FutureImage
import FutureImageTesting
import Testing

#if !canImport(ObjectiveC)
/// Animations in views of AppKit. The tests run one after the other, because two of them change settings that all tests share. The tests
/// run only with the model, because on a Mac, a test cannot cover a window.
@MainActor @Suite(.serialized, .tags(.threads), .timeLimit(.minutes(5))) struct PlaybackTests {
  private let stage = Stage()
  private let clock = ManualClock()
  private let loader: FutureImage.Loader
  private let gif = TestImage.gif(
    frames: [TestImage(color: .red), TestImage(color: .green), TestImage(color: .blue)], frameDuration: .milliseconds(100))

  init() {
    var configuration = FutureImage.Loader.Configuration.held(by: stage.fetcher)
    configuration.clock = clock
    loader = FutureImage.Loader(configuration)
  }

  private func serve() async throws {
    try await stage.fetcher.waitForHeld()
    stage.fetcher.resolve(with: gif)
    try await loader.waitUntilIdle(within: .standard)
  }

  private func advance(until view: NSImageView, shows color: TestImage.Color) async throws {
    try await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    try await eventually { isNearly(view.image?.color, color) }
    try await loader.waitUntilIdle(within: .standard)
  }

  @Test func `an animation plays in an image view only while the view is in a visible window`() async throws {
    let view = stage.imageView()
    let future = FutureImage(.url(try stage.url("a")), loader: loader)
    view.futureImage = future
    try await serve()
    #expect(isNearly(view.image?.color, .red))
    try await advance(until: view, shows: .green)
    stage.window.occlusionState = []
    try await eventually { clock.waits.isEmpty }
    clock.advance(by: .seconds(5))
    try await loader.waitUntilIdle(within: .standard)
    #expect(isNearly(view.image?.color, .green))
    stage.window.occlusionState = .visible
    try await advance(until: view, shows: .blue)
    view.removeFromSuperview()
    try await eventually { clock.waits.isEmpty }
    clock.advance(by: .seconds(5))
    stage.content.addSubview(view)
    try await loader.waitUntilIdle(within: .standard)
    #expect(isNearly(view.image?.color, .blue))
    try await advance(until: view, shows: .red)
  }

  @Test func `if Reduce Motion is on, an animation is paused until the app plays it`() async throws {
    NSWorkspace.shared.accessibilityDisplayShouldReduceMotion = true
    defer { NSWorkspace.shared.accessibilityDisplayShouldReduceMotion = false }
    try await expectPauseUntilPlayed()
  }

  @Test func `if Auto-Play Animated Images is off, an animation is paused until the app plays it`() async throws {
    AccessibilitySettings.animatedImagesEnabled = false
    defer { AccessibilitySettings.animatedImagesEnabled = true }
    try await expectPauseUntilPlayed()
  }

  private func expectPauseUntilPlayed() async throws {
    let view = stage.imageView()
    let future = FutureImage(.url(try stage.url("a")), loader: loader)
    view.futureImage = future
    try await serve()
    let player = try #require(future.player)
    #expect(player.isPaused && clock.waits.isEmpty)
    player.isPaused = false
    try await advance(until: view, shows: .green)
  }
}
#endif
#endif
