#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImage
import FutureImageCache
import FutureImageTesting
import Testing

/// Tests the rows of the table of the same name in Ancestors.md, in the table's order.
@Suite("Generic cache library", .tags(.threads), .timeLimit(.minutes(5))) struct GenericCacheLibraryTests {
  private let fixture = LoaderFixture()
  private let folder = Scratch.folder()

  /// Returns the value that a cache fetches, and the value that a second cache finds in the folder, as in the next run of the program.
  private func fetched<Value: Sendable>(_ body: String, _ coder: CacheCoder<Value>) async throws -> [Value] {
    let cache = Cache(directory: folder, as: coder, fetching: fixture.loader)
    async let value = cache.value(from: LoaderFixture.url())
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: Data(body.utf8))
    let first = try await value
    await cache.waitUntilIdle()
    let kept = try await Cache(directory: folder, as: coder, fetching: fixture.loader).value(from: LoaderFixture.url())
    #expect(fixture.held.requests.count == 1)
    return [first, kept]
  }

  // MARK: Values

  @Test func `a cache stores values that are decoded from JSON`() async throws {
    #expect(try await fetched(#"{"a":[1,2]}"#, .json) == [["a": [1, 2]], ["a": [1, 2]]])
  }

  @Test func `a cache stores strings`() async throws {
    #expect(try await fetched("grüezi", .string) == ["grüezi", "grüezi"])
  }

  @Test func `a cache stores data`() async throws {
    #expect(try await fetched("bytes", .data) == [Data("bytes".utf8), Data("bytes".utf8)])
  }

  private struct Point: Equatable {
    let x: Int
    let y: Int
  }

  @Test func `a cache stores values of an app's own type`() async throws {
    let coder = CacheCoder<Point> {
      Data("\($0.x) \($0.y)".utf8)
    } decode: { data in
      let numbers = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw FutureImage.Failure(.undecodable("it is no point")) }
      return Point(x: numbers[0], y: numbers[1])
    }
    #expect(try await fetched("3 4", coder) == [Point(x: 3, y: 4), Point(x: 3, y: 4)])
  }

  @Test func `an app can define named transforms of values and images`() async throws {
    let upperCase = Cache<String>.Variant("upper case") { $0.uppercased() }
    let cache = Cache(directory: folder, as: .string, variants: [upperCase], fetching: fixture.loader)
    cache.set("word", forKey: "a")
    #expect(try await cache.value(forKey: "a", as: upperCase) == "WORD")
    #expect(cache.valueInMemory(forKey: "a", as: upperCase) == "WORD")
    #expect(cache.valueInMemory(forKey: "a") == "word")
    let half = FutureImage.Transform.custom("half") { image in
      image.preparingThumbnail(of: CGSize(width: image.size.width / 2, height: image.size.height / 2)) ?? image
    }
    let photo = FutureImage(at: LoaderFixture.url(), transform: half, loader: fixture.loader)
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg(64, 48))
    #expect(try await photo.value.cgImage?.width == 32)
  }

  private struct Album: FutureImage.Fetcher {
    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      try receive(.response(FutureImage.Response(status: 200)))
      try receive(.bytes(request.url.lastPathComponent == "red.jpg" ? TestColor.red.jpeg() : Data()))
    }
  }

  @Test func `a custom fetcher or a closure can deliver the bytes of an image`() async throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.fetcher = Album()
    let photo = FutureImage(at: LoaderFixture.url("red"), loader: FutureImage.Loader(configuration))
    #expect(TestColor.red.isNearly(try await photo.value.color))
    let drawn = FutureImage(.data(key: "drawn") { TestColor.blue.jpeg() }, loader: FutureImage.Loader(configuration))
    #expect(TestColor.blue.isNearly(try await drawn.value.color))
  }

  // MARK: Sizes

  /// Returns the size in pixels at which a view of 300 × 100 points shows an image of 1200 × 900 pixels. The image is reduced to the
  /// smallest decode step that has enough pixels. Here, the steps are multiples of an eighth: 150 × 113, 300 × 225, and so on.
  @MainActor private func pixels(_ contentMode: UIView.ContentMode) async -> [Int?] {
    let view = imageView(300, 100)
    view.contentMode = contentMode
    view.futureImage = fixture.future()
    await fixture.serve()
    return [view.image?.cgImage?.width, view.image?.cgImage?.height]
  }

  @MainActor @Test func `a view that fills its bounds gets enough pixels to cover the bounds`() async {
    #expect(await pixels(.scaleAspectFill) == [300, 225])
  }

  @MainActor @Test func `a view that fits an image into its bounds gets enough pixels for the size of the fitted image`() async {
    #expect(await pixels(.scaleAspectFit) == [150, 113])
  }

  @MainActor @Test func `an image is enlarged only if the app requests it`() async throws {
    let (view, photo) = (imageView(400), fixture.future())
    view.futureImage = photo
    await fixture.serve("a", SampleImage.jpeg(40, 30))
    #expect(view.image?.cgImage?.width == 40)
    let box = CGSize(width: 400, height: 300)
    let resized = FutureImage(at: LoaderFixture.url(), transform: .resize(to: box, .fit), loader: fixture.loader)
    #expect(try await resized.value.cgImage?.width == 40)
    let enlarged = FutureImage(at: LoaderFixture.url(), transform: .resize(to: box, .fit, enlarges: true, scale: 1), loader: fixture.loader)
    #expect(try await enlarged.value.cgImage?.width == 400)
    #expect(photo.key == enlarged.key)
  }

  // MARK: Eviction

  @Test func `a memory warning evicts the loader's pixels`() async throws {
    let center = NotificationCenter()
    let fixture = LoaderFixture(notifications: center)
    let photo = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(64, 48))
    _ = try await photo.value
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.pixelBytes == 64 * 48 * 4)
    center.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
    #expect(fixture.loader.pixelBytes == 0)
  }

  @Test func `pixels and values beyond the capacity are evicted`() async throws {
    let fixture = LoaderFixture { $0.maxPixelBytes = 3 * 64 * 48 * 4 }
    let photos = (0..<5).map { fixture.future("\($0)") }
    async let images = photos.images()
    await fixture.held.waitForHeld(5)
    fixture.held.resolve(with: SampleImage.jpeg(64, 48))
    #expect(try await images.count == 5)
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.pixelBytes == 3 * 64 * 48 * 4)
    let cache = Cache(directory: nil, as: .string, capacity: CacheCapacity(memoryCount: 2))
    for key in ["a", "b", "c"] { cache.set(key, forKey: key) }
    #expect(["a", "b", "c"].map { cache.valueInMemory(forKey: $0) } == [nil, "b", "c"])
  }

  // MARK: Views

  @MainActor @Test func `code that requests an image after its arrival gets the image without another request`() async throws {
    let photo = fixture.future()
    await fixture.serve("a", TestColor.red.jpeg())
    #expect(TestColor.red.isNearly(try await photo.value.color))
    // The image has been delivered, so the next calls are late.
    let result = await withCheckedContinuation { continuation in photo.whenReady { continuation.resume(returning: $0) } }
    #expect(TestColor.red.isNearly(try result.get().color))
    var phases: [FutureImage.Phase] = []
    for await phase in photo.phases() { phases.append(phase) }
    guard case .ready? = phases.last, phases.count == 1 else {
      Issue.record("\(phases)")
      return
    }
    #expect(fixture.held.requests.count == 1)
  }

  @MainActor @Test func `a view fades for 0.1 seconds to an image that arrives asynchronously`() async throws {
    let (view, other, photo) = (TransitionView(frame: imageView(64).frame), TransitionView(frame: imageView(64).frame), fixture.future())
    view.display(photo, .init(transition: .fade()))
    await fixture.serve("a", TestColor.red.jpeg())
    view.expectTransitions([.init(options: [.transitionCrossDissolve, .allowUserInteraction], seconds: 0.1)])
    other.display(photo, .init(transition: .fade()))
    #expect(TestColor.red.isNearly(other.image?.color))
    other.expectTransitions([])
  }

  @MainActor @Test func `no callback runs for the former image of a reused view`() async {
    let (view, former, next) = (imageView(64), fixture.future("former"), fixture.future("next"))
    var calls = 0
    view.display(former, .init(transition: .fade()) { phase in if phase.isFinal { calls += 1 } })
    await fixture.held.waitForHeld(2)
    view.futureImage = next
    fixture.held.resolve(LoaderFixture.url("former"), with: TestColor.red.jpeg())
    fixture.held.resolve(LoaderFixture.url("next"), with: TestColor.blue.jpeg())
    await fixture.loader.waitForIdle()
    #expect(TestColor.blue.isNearly(view.image?.color))
    #expect(calls == 0)
  }

  @MainActor @Test func `a button shows the image of a future`() async {
    let (button, photo) = (UIButton(type: .custom), fixture.future())
    button.display(photo, for: .normal)
    await fixture.serve("a", TestColor.red.jpeg())
    #expect(TestColor.red.isNearly(button.currentImage?.color))
  }
}
#endif
