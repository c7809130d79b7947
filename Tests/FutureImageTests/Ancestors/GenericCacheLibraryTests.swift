import Foundation
import FutureImage
import FutureImageCache
import FutureImageTesting
import Testing

/// Tests the rows of the table of the same name in Ancestors.md, in the table's order.
@Suite("Generic cache library", .tags(.threads), .timeLimit(.minutes(5))) struct GenericCacheLibraryTests {
  private let shop = Shop()
  private let folder = Scratch.folder()

  /// The value that a cache fetches, and the one that it finds in the next run of the program.
  private func fetched<Value: Sendable>(_ body: String, _ coder: CacheCoder<Value>) async throws -> [Value] {
    let cache = Cache(directory: folder, as: coder, fetching: shop.loader)
    async let value = cache.value(from: Shop.url())
    await shop.held.waitForHeld()
    shop.held.resolve(with: Data(body.utf8))
    let first = try await value
    await cache.settled()
    let kept = try await Cache(directory: folder, as: coder, fetching: shop.loader).value(from: Shop.url())
    #expect(shop.held.requests.count == 1)
    return [first, kept]
  }

  // MARK: What is cached

  @Test func `cache of JSON`() async throws {
    #expect(try await fetched(#"{"a":[1,2]}"#, .json) == [["a": [1, 2]], ["a": [1, 2]]])
  }

  @Test func `cache of strings`() async throws {
    #expect(try await fetched("grüezi", .string) == ["grüezi", "grüezi"])
  }

  @Test func `cache of data`() async throws {
    #expect(try await fetched("bytes", .data) == [Data("bytes".utf8), Data("bytes".utf8)])
  }

  private struct Point: Equatable {
    let x: Int
    let y: Int
  }

  @Test func `cache of own types`() async throws {
    let coder = CacheCoder<Point> {
      Data("\($0.x) \($0.y)".utf8)
    } decode: { data in
      let numbers = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw FutureImage.Failure(.undecodable("it is no point")) }
      return Point(x: numbers[0], y: numbers[1])
    }
    #expect(try await fetched("3 4", coder) == [Point(x: 3, y: 4), Point(x: 3, y: 4)])
  }

  @Test func `named transforms`() async throws {
    let upperCase = Cache<String>.Format("upper case") { $0.uppercased() }
    let cache = Cache(directory: folder, as: .string, formats: [upperCase], fetching: shop.loader)
    cache.set("word", forKey: "a")
    #expect(try await cache.value(forKey: "a", as: upperCase) == "WORD")
    #expect(cache.valueInMemory(forKey: "a", as: upperCase) == "WORD")
    #expect(cache.valueInMemory(forKey: "a") == "word")
    let half = FutureImage.Transform.custom("half") { FutureImage.PixelBuffer(width: $0.width / 2, height: $0.height / 2) ?? $0 }
    let photo = FutureImage(at: Shop.url(), transform: half, loader: shop.loader)
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg(64, 48))
    #expect(try await photo.value.cgImage?.width == 32)
  }

  private struct Album: FutureImage.Fetcher {
    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      try receive(.response(FutureImage.Response(status: 200)))
      try receive(.bytes(request.url.lastPathComponent == "red.jpg" ? Colour.red.jpeg() : Data()))
    }
  }

  @Test func `custom fetchers`() async throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.fetcher = Album()
    let photo = FutureImage(at: Shop.url("red"), loader: FutureImage.Loader(configuration))
    #expect(Colour.red.isNearly(try await photo.value.colour))
    let drawn = FutureImage(.data(key: "drawn") { Colour.blue.jpeg() }, loader: FutureImage.Loader(configuration))
    #expect(Colour.blue.isNearly(try await drawn.value.colour))
  }

  // MARK: Sizes

  /// The size in pixels at which a view of 300 × 100 shows an image of 1200 × 900.
  @MainActor private func pixels(_ contentMode: UIView.ContentMode) async -> [Int?] {
    let view = imageView(300, 100)
    view.contentMode = contentMode
    view.futureImage = shop.future()
    await shop.serve()
    return [view.image?.cgImage?.width, view.image?.cgImage?.height]
  }

  @MainActor @Test func `automatic sizing with fill`() async {
    #expect(await pixels(.scaleAspectFill) == [300, 225])
  }

  @MainActor @Test func `automatic sizing with fit`() async {
    #expect(await pixels(.scaleAspectFit) == [150, 113])
  }

  @MainActor @Test func `no upscale`() async throws {
    let (view, photo) = (imageView(400), shop.future())
    view.futureImage = photo
    await shop.serve("a", Picture.jpeg(40, 30))
    #expect(view.image?.cgImage?.width == 40)
    let box = CGSize(width: 400, height: 300)
    let resized = FutureImage(at: Shop.url(), transform: .resize(to: box, .fit), loader: shop.loader)
    #expect(try await resized.value.cgImage?.width == 40)
    let enlarged = FutureImage(at: Shop.url(), transform: .resize(to: box, .fit, enlarges: true, scale: 1), loader: shop.loader)
    #expect(try await enlarged.value.cgImage?.width == 400)
    #expect(photo.key == enlarged.key)
  }

  // MARK: Eviction

  @Test func `eviction on memory warnings`() async throws {
    let center = NotificationCenter()
    let shop = Shop(notifications: center)
    let photo = shop.future()
    await shop.serve("a", Picture.jpeg(64, 48))
    _ = try await photo.value
    await shop.loader.waitUntilSettled()
    #expect(shop.loader.pixelBytes == 64 * 48 * 4)
    center.post(name: UIApplication.didReceiveMemoryWarningNotification, object: nil)
    #expect(shop.loader.pixelBytes == 0)
  }

  @Test func `eviction by capacity`() async throws {
    let shop = Shop { $0.maxPixelBytes = 3 * 64 * 48 * 4 }
    let photos = (0..<5).map { shop.future("\($0)") }
    async let pictures = photos.images()
    await shop.held.waitForHeld(5)
    shop.held.resolve(with: Picture.jpeg(64, 48))
    #expect(try await pictures.count == 5)
    await shop.loader.waitUntilSettled()
    #expect(shop.loader.pixelBytes == 3 * 64 * 48 * 4)
    let cache = Cache(directory: nil, as: .string, capacity: CacheCapacity(memoryCount: 2))
    for key in ["a", "b", "c"] { cache.set(key, forKey: key) }
    #expect(["a", "b", "c"].map { cache.valueInMemory(forKey: $0) } == [nil, "b", "c"])
  }

  // MARK: Views

  @MainActor @Test func `late subscribers`() async throws {
    let photo = shop.future()
    await shop.serve("a", Colour.red.jpeg())
    #expect(Colour.red.isNearly(try await photo.value.colour))
    // After the load has ended:
    let told = await withCheckedContinuation { continuation in photo.whenReady { continuation.resume(returning: $0) } }
    #expect(Colour.red.isNearly(try told.get().colour))
    var phases: [FutureImage.Phase] = []
    for await phase in photo.phases { phases.append(phase) }
    guard case .ready? = phases.last, phases.count == 1 else {
      Issue.record("\(phases)")
      return
    }
    #expect(shop.held.requests.count == 1)
  }

  @MainActor @Test func `0.1 s fade when asynchronous`() async throws {
    let (view, other, photo) = (TransitionView(frame: imageView(64).frame), TransitionView(frame: imageView(64).frame), shop.future())
    view.display(photo, .init(transition: .fade()))
    await shop.serve("a", Colour.red.jpeg())
    view.expectTransitions([.init(options: [.transitionCrossDissolve, .allowUserInteraction], seconds: 0.1)])
    other.display(photo, .init(transition: .fade()))
    #expect(Colour.red.isNearly(other.image?.colour))
    other.expectTransitions([])
  }

  @MainActor @Test func `nothing when the view was reused`() async {
    let (view, former, next) = (imageView(64), shop.future("former"), shop.future("next"))
    var calls = 0
    view.display(former, .init(transition: .fade()) { phase in if phase.isFinal { calls += 1 } })
    await shop.held.waitForHeld(2)
    view.futureImage = next
    shop.held.resolve(Shop.url("former"), with: Colour.red.jpeg())
    shop.held.resolve(Shop.url("next"), with: Colour.blue.jpeg())
    await shop.loader.waitUntilSettled()
    #expect(Colour.blue.isNearly(view.image?.colour))
    #expect(calls == 0)
  }

  @MainActor @Test func `images in a UIButton`() async {
    let (button, photo) = (UIButton(type: .custom), shop.future())
    button.display(photo, for: .normal)
    await shop.serve("a", Colour.red.jpeg())
    #expect(Colour.red.isNearly(button.currentImage?.colour))
  }
}
