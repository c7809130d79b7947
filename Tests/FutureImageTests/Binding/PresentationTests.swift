import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PresentationTests {
  let fixture = LoaderFixture { $0.retry = .never }
  /// A view of 64 × 48 pixels, in which an image of 1200 × 900 pixels has a width of 75 pixels. This is the smallest width of at least 64
  /// pixels to which the loader reduces such an image (see `DecodeStep`).
  let view = imageView(64)

  /// Counts the transitions, and performs each change at once.
  @MainActor private final class Transitions {
    var count = 0
    var kind: FutureImage.Presentation.Transition {
      .custom { [self] _, change in
        count += 1
        change()
      }
    }
  }

  private func fail() async {
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
  }

  private func tap() throws {
    let recognizer = try #require(view.recognizers.first as? RetryTap)
    recognizer.tap()
  }

  // MARK: Transitions

  @Test func `an image that is not ready when its view is bound appears with exactly one transition`() async throws {
    let transitions = Transitions()
    view.display(fixture.future(), .init(transition: transitions.kind))
    await fixture.serve()
    #expect(view.image?.cgImage != nil)
    #expect(transitions.count == 1)
  }

  @Test func `a ready image appears without a transition`() async throws {
    let transitions = Transitions()
    let future = fixture.future()
    await fixture.serve()
    _ = try await future.value(fitting: .fit(width: 64, height: 48))
    view.display(future, .init(transition: transitions.kind))
    #expect(view.image?.cgImage != nil)
    #expect(transitions.count == 0)
  }

  @Test func `larger pixels replace smaller pixels in a view without a transition`() async throws {
    let transitions = Transitions()
    let future = fixture.future()
    await fixture.serve()
    _ = try await future.value(fitting: .fit(width: 64, height: 48))
    let large = imageView(640)
    large.display(future, .init(transition: transitions.kind))
    let first = try #require(large.image)
    await fixture.loader.waitForIdle()
    #expect(large.image !== first)
    #expect(transitions.count == 0)
  }

  @Test func `a view shows the image after a fade`() async {
    view.display(fixture.future(), .init(transition: .fade()))
    await fixture.serve()
    #expect(view.image?.cgImage?.width == 75)
  }

  @Test func `an image that the app sets during a transition is not replaced when the transition ends`() async throws {
    let change = Lock<(@MainActor @Sendable () -> Void)?>(nil)
    view.display(fixture.future(), .init(transition: .custom { _, applyChange in change.withLock { $0 = { applyChange() } } }))
    await fixture.serve()
    let other = SampleImage.image()
    view.image = other
    let applyChange = try #require(change.withLock { $0 })
    applyChange()
    #expect(view.image === other)
  }

  @Test func `an app's own transition decides when the new image appears in the view`() async throws {
    let change = Lock<(@MainActor @Sendable () -> Void)?>(nil)
    let placeholder = SampleImage.image(10, 10)
    view.display(
      fixture.future(),
      .init(transition: .custom { _, applyChange in change.withLock { $0 = { applyChange() } } }, placeholder: placeholder))
    await fixture.serve()
    #expect(view.image?.cgImage?.width == 10)
    let applyChange = try #require(change.withLock { $0 })
    applyChange()
    #expect(view.image?.cgImage?.width == 75)
  }

  @Test func `an image with more pixels appears without waiting for an app's own transition`() async throws {
    let change = Lock<(@MainActor @Sendable () -> Void)?>(nil)
    let future = fixture.future()
    view.display(future, .init(transition: .custom { _, applyChange in change.withLock { $0 = { applyChange() } } }))
    await fixture.serve()
    view.bounds.size = CGSize(width: 640, height: 480)
    future.measureViews()
    await fixture.loader.waitForIdle()
    let sharp = try #require(view.image)
    #expect(sharp.cgImage?.width ?? 0 >= 640)
    let applyChange = try #require(change.withLock { $0 })
    applyChange()
    #expect(view.image === sharp)
  }

  // MARK: Placeholders and failures

  @Test func `a failed reload leaves the image in the view`() async {
    let future = fixture.future()
    view.display(future, .init(failureImage: SampleImage.image(30, 30)))
    await fixture.serve()
    future.reload()
    await fail()
    #expect(view.image?.cgImage?.width == 75)
  }

  @Test func `a reused view shows no failure of its former image`() async {
    let first = fixture.future("first")
    view.display(first, .init(failureImage: SampleImage.image(30, 30), retriesOnTap: true))
    await fixture.held.waitForHeld()
    let second = fixture.future("second")
    view.futureImage = second
    await fixture.held.waitForHeld(2)
    fixture.held.fail(LoaderFixture.url("first"))
    await fixture.serve("second")
    #expect(view.image?.cgImage?.width == 75)
    #expect(view.recognizers.isEmpty)
    withExtendedLifetime(first) {}
  }

  // MARK: Retry on tap

  @Test func `a permanent failure can also be retried with a tap`() async throws {
    view.display(fixture.future(), .init(retriesOnTap: true))
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    try tap()
    await fixture.held.waitForRequests(2)
  }

  @Test func `if the app has set another image in the view of a failed future, a tap on the view starts no request`() async throws {
    let future = fixture.future()
    view.display(future, .init(retriesOnTap: true))
    await fail()
    view.image = SampleImage.image()
    try tap()
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(future) {}
  }

  @Test func `a released view of a failed image releases the closures of its presentation`() async {
    final class Witness {}
    weak var weakWitness: Witness?
    do {
      let witness = Witness()
      weakWitness = witness
      let view = imageView(64)
      view.display(fixture.future(), .init(retriesOnTap: true) { _ in withExtendedLifetime(witness) {} })
      await fail()
      #expect(view.recognizers.count == 1)
    }
    await fixture.loader.waitForIdle()
    // The thread that delivered the failure may retain the future a moment longer.
    await waitWhile(weakWitness != nil)
  }

  // MARK: Callback

  @Test func `the callback of a presentation receives the phases of the view's future`() async {
    var phases: [String] = []
    view.display(
      fixture.future(),
      .init { phase in
        switch phase {
        case .waiting, .loading: if phases.last != "waiting" { phases.append("waiting") }
        case .fetched: phases.append("fetched")
        case .ready: phases.append("ready")
        case .failed: phases.append("failed")
        }
      })
    #expect(phases == ["waiting"])
    await fail()
    #expect(phases == ["waiting", "failed"])
    view.futureImage?.reload()
    await fixture.serve()
    #expect(phases.last == "ready")
  }

  @Test func `if a cancellation or a retry leaves the phase unchanged, the callback of a presentation is not called`() async {
    var calls = 0
    let future = fixture.future()
    view.display(future, .init { _ in calls += 1 })
    await fixture.serve()
    let before = calls
    future.cancel()
    fixture.loader.retryFailed()
    await fixture.loader.delivered()
    #expect(calls == before)
  }

  @Test func `the callback of a presentation is no longer called after the view is reused`() async {
    var calls = 0
    let future = fixture.future("first")
    view.display(future, .init { _ in calls += 1 })
    await fixture.held.waitForHeld()
    view.futureImage = fixture.future("second")
    await fixture.held.waitForHeld(2)
    let before = calls
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    #expect(calls == before)
    withExtendedLifetime(future) {}
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension PresentationTests {
  @Test func `a presentation's placeholder is shown in the content mode for placeholders until the image arrives`() async {
    let placeholder = SampleImage.image(10, 10)
    view.display(
      fixture.future(placeholder: SampleImage.image(20, 20)),
      .init(placeholder: placeholder, contentModes: (image: .scaleAspectFill, placeholder: .center, failure: .top)))
    #expect(view.image?.cgImage?.width == 10)
    #expect(view.contentMode == .center)
    #expect(view.futureImage != nil)
    await fixture.serve()
    #expect(view.image?.cgImage?.width == 75)
    #expect(view.contentMode == .scaleAspectFill)
  }

  @Test func `a failure shows the failure image, and a reload shows the placeholder again`() async {
    let future = fixture.future()
    let presentation = FutureImage.Presentation(
      placeholder: SampleImage.image(10, 10), failureImage: SampleImage.image(30, 30),
      contentModes: (image: .scaleAspectFit, placeholder: .center, failure: .top))
    view.display(future, presentation)
    await fail()
    #expect(view.image?.cgImage?.width == 30)
    #expect(view.contentMode == .top)
    #expect(view.futureImage === future)
    future.reload()
    await fixture.held.waitForHeld()
    await fixture.loader.delivered()
    #expect(view.image?.cgImage?.width == 10)
    #expect(view.contentMode == .center)
    await fixture.serve()
    #expect(view.image?.cgImage?.width == 75)
    #expect(view.contentMode == .scaleAspectFit)
  }

  @Test func `a tap on a failed image loads it again, and then the view's own tap handling is restored`() async throws {
    let future = fixture.future()
    view.display(future, .init(retriesOnTap: true))
    #expect(!view.isUserInteractionEnabled)
    #expect(view.recognizers.isEmpty)
    await fail()
    #expect(view.isUserInteractionEnabled)
    try tap()
    await fixture.serve()
    #expect(view.image?.cgImage != nil)
    #expect(!view.isUserInteractionEnabled)
    #expect(view.recognizers.isEmpty)
  }

  @Test func `a view's former future neither handles taps nor restores the view's own tap handling`() async throws {
    let (former, later) = (fixture.future("a"), fixture.future("b"))
    await fixture.held.waitForHeld(2)
    view.display(former, .init(retriesOnTap: true))
    fixture.held.answer(LoaderFixture.url("a"), FutureImage.Response(status: 404))
    // A wait for the value would not suffice, because it may end before the change of the view is even scheduled.
    await waitWhile(former.failure == nil)
    #expect(view.isUserInteractionEnabled)
    view.display(later, .init(retriesOnTap: true))
    #expect(!view.isUserInteractionEnabled)
    #expect(view.recognizers.isEmpty)
    await fail()
    // The former future checks only now which views show it.
    imageView(64).futureImage = former
    #expect(view.isUserInteractionEnabled)
    try tap()
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests.dropFirst(2).map(\.url) == [LoaderFixture.url("b")])
  }
}
#endif
