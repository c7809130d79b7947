import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Views that show an image whose future is gone. The future's `Reader` stays registered with the loader for these views, as a follower.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FollowedImageTests {
  // The loader remembers no failures, because a remembered failure would prevent a wrong request, which the tests must find.
  private let fixture = LoaderFixture { $0.retry = .init(attempts: 1, failureMemory: .zero) }
  private let view = imageView(64)

  private var followers: [Reader] {
    fixture.loader.state.withLock { state in
      state.pictures[SourceKey(LoaderFixture.url().absoluteString)]?.readers.filter(\.isFollower) ?? []
    }
  }

  /// Whether the image has a follower.
  private var isFollowed: Bool { !followers.isEmpty }

  private func shows(_ color: TestColor) -> Bool { color.isNearly(view.image?.color) }

  /// Shows an image in the view, and releases its future.
  /// - Parameter finish: called with the future before its release.
  private func show(
    _ color: TestColor, _ policy: FutureImage.CachePolicy = .automatic, _ presentation: FutureImage.Presentation? = nil, width: Int = 64,
    finish: @MainActor (FutureImage) async -> Void = { _ in }
  ) async {
    weak var gone: FutureImage?
    do {
      let future = fixture.future(policy: policy)
      gone = future
      view.display(future, presentation)
      await fixture.serve("a", color.jpeg(width, width * 3 / 4))
      await finish(future)
    }
    await waitWhile(gone != nil)
    await fixture.loader.waitForIdle()
    #expect(isFollowed)
    #expect(shows(color))
  }

  /// Reloads the image with a new future.
  private func reload(_ color: TestColor, width: Int = 64) async {
    let newer = fixture.future()
    newer.reload()
    await fixture.serve("a", color.jpeg(width, width * 3 / 4))
    withExtendedLifetime(newer) {}
  }

  /// Sets the image of the key in the loader. Returns a closure that undoes the call.
  @discardableResult private func set(_ color: TestColor) async throws -> @Sendable () async -> Void {
    let image = SampleImage.image(64, 48, red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
    let undo = try await fixture.loader.set(image, forKey: LoaderFixture.url().absoluteString)
    await fixture.loader.waitForIdle()
    return undo
  }

  /// Reloads the image, and answers that the server has deleted it.
  private func delete(_ future: FutureImage) async {
    future.reload()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
  }

  // MARK: Images that arrive

  @Test func `a view whose future is gone shows the image that a new future of the same key reloads`() async {
    await show(.red)
    await reload(.blue)
    #expect(shows(.blue))
  }

  @Test func `a reload of newly decoded models updates views that show the images of the former models`() async {
    await show(.red)
    let newer = fixture.deferred()
    async let failures = [newer].reload(\.self)
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: TestColor.blue.jpeg(64, 48))
    #expect(await failures == [])
    await fixture.loader.waitForIdle()
    #expect(shows(.blue))
  }

  @Test func `a photo that the app sets appears in a view whose future is gone`() async throws {
    await show(.red)
    try await set(.blue)
    #expect(shows(.blue))
  }

  @Test(arguments: [false, true])
  func `a view whose image was deleted before its future was released gets the next image that is reloaded or set`(isSet: Bool) async throws
  {
    await show(.red) { await delete($0) }
    if isSet { try await set(.blue) } else { await reload(.blue) }
    #expect(shows(.blue))
  }

  // MARK: Requests and memory

  @Test func `a view whose future is gone starts no request and retains no bytes`() async throws {
    await show(.red, .modelOnly)
    #expect(fixture.loader.futureCount == 0 && fixture.loader.heldByteCount == 0)
    #expect(fixture.loader.isIdle && fixture.held.requests.count == 1)
    try await set(.blue)
    #expect(shows(.blue))
    #expect(fixture.loader.heldByteCount == 0 && fixture.held.requests.count == 1)
  }

  @Test func `a view that grows after its future is gone gets more pixels only with the next image of the key`() async {
    await show(.red, .automatic, .init(onPhase: { _ in }), width: 1280)
    view.bounds = CGRect(x: 0, y: 0, width: 640, height: 480)
    followers.first?.measureViews()
    followers.first.map { fixture.loader.loadMissing($0, [.full], retrying: .no) }
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    #expect(view.image?.cgImage?.width ?? 640 < 640)
    await reload(.blue, width: 1280)
    #expect(shows(.blue) && view.image?.cgImage?.width == 640)
  }

  @Test func `if bytes for a view whose future is gone cannot be decoded, they are not requested again`() async {
    await show(.red) { await delete($0) }
    let (noise, decodes) = (SampleImage.noise(64, 48), fixture.loader.statistics.decodes)
    // A reader whose image has failed also gets the bytes that another reader of the key finds. After the deletion, the image of the view's
    // reader has failed. So this reader gets the damaged bytes from the tier of the new future.
    let newer = fixture.future(policy: .tiers(disk: HeldTier(noise.prefix(noise.count / 2))))
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.decodes == decodes + 1)
    #expect(fixture.held.requests.count == 2)
    #expect(isFollowed && shows(.red))
    withExtendedLifetime(newer) {}
  }

  @Test func `under the model-only policy, releasing the last future empties the pool, even if a view still shows the image`() async {
    var last: FutureImage? = fixture.future(policy: .modelOnly)
    await show(.red, .modelOnly)
    #expect(last != nil && fixture.loader.pool.byteCount > 0)
    last = nil
    await waitWhile(fixture.loader.futureCount > 0)
    #expect(isFollowed && shows(.red))
    #expect(fixture.loader.pool.byteCount == 0)
  }

  /// Calls `undo` on another thread, and blocks the main thread until `undo` returns. Only a synchronous function may block a thread.
  private func blockMain(during undo: @escaping @Sendable () async -> Void) {
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      await undo()
      ended.signal()
    }
    ended.wait()
  }

  @Test func `if the app sets an image and then undoes that, a view whose future is gone becomes empty without a request`() async throws {
    let undo: @Sendable () async -> Void
    do {
      let future = fixture.future()
      view.futureImage = future
      await fixture.held.waitForHeld()
      undo = try await set(.blue)
      withExtendedLifetime(future) {}
    }
    await waitWhile(fixture.loader.futureCount > 0)
    await fixture.loader.waitForIdle()
    #expect(isFollowed && shows(.blue))
    for reader in followers { fixture.loader.reload(reader) }
    #expect(fixture.loader.transferCount == 0)
    blockMain(during: undo)
    // Two calls still wait for the main actor: the reader's commit, and the call that shows the placeholder.
    #expect(fixture.loader.main.count == 2)
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage == nil)
    #expect(fixture.held.requests.count == 1)
  }

  // MARK: Views that show another image

  @Test func `an image has no follower after its last view has got another image`() async throws {
    await show(.red)
    try await set(.blue)
    #expect(shows(.blue))
    let other = fixture.future("other")
    view.futureImage = other
    let newer = fixture.future()
    newer.reload()
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url(), with: TestColor.blue.jpeg(64, 48))
    fixture.held.resolve(LoaderFixture.url("other"), with: TestColor.red.jpeg(64, 48))
    await fixture.loader.waitForIdle()
    #expect(shows(.red))
    #expect(!isFollowed)
    withExtendedLifetime((other, newer)) {}
  }

  @Test func `a reload replaces the image in the views of a former future, but not in a view in which the app has set an image`() async {
    let (own, other) = (SampleImage.image(), imageView(64))
    await show(.red) { other.futureImage = $0 }
    view.image = own
    await reload(.blue)
    #expect(view.image === own)
    #expect(TestColor.blue.isNearly(other.image?.color))
  }

  @Test func `the reader of a released future remains as a follower only if a view shows the image`() async {
    await show(.red)
    let empty = imageView(64)
    do {
      let future = fixture.future("other")
      empty.futureImage = future
      empty.image = nil
    }
    await waitWhile(fixture.loader.futureCount > 0)
    await fixture.loader.waitForIdle()
    #expect(isFollowed && fixture.loader.pictureCount == 1)
  }

  // MARK: Views that are gone

  /// Returns a view that shows an image whose future is gone. The image is put into the future without a request.
  private func followingView(_ name: String, _ fixture: LoaderFixture) async -> UIImageView {
    let (view, image) = (imageView(64), SampleImage.image())
    do {
      let future = fixture.idle(name)
      future.adopt(image)
      view.futureImage = future
    }
    await waitWhile(fixture.loader.futureCount > 0)
    await fixture.loader.waitForIdle()
    return view
  }

  @Test(arguments: [false, true])
  func `a follower whose view is gone is unregistered when any loader gets new followers`(isOtherLoader: Bool) async {
    do {
      let view = await followingView("a", fixture)
      #expect(isFollowed)
      withExtendedLifetime(view) {}
    }
    let followersFixture = isOtherLoader ? LoaderFixture() : fixture
    var views: [UIImageView] = []
    // Each new follower causes a check of a few followers, which can be followers of other tests.
    for number in 0..<1_000 where isFollowed { views.append(await followingView("b\(number)", followersFixture)) }
    #expect(!isFollowed)
    #expect(fixture.loader.pictureCount == (isOtherLoader ? 0 : views.count))
  }
}
