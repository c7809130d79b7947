import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("Elements of wrapped collections", .tags(.threads), .timeLimit(.minutes(5))) struct ElementTests {
  struct Photo: Codable, Hashable, Sendable {
    @FutureImage.FromURL var urls: [String: FutureImage]
    @FutureImage.FromURL var details: [FutureImage]
  }

  /// The calls that request an image or read its phase. The test retains the result of each call until the test ends.
  enum Use: String, CaseIterable, Sendable {
    case view, slot, presentation, value, whenReady, phase, phases, progress, progressOfAll, image, prefetch, prefetchOfPixels, reload
    case tinted

    @MainActor func apply(to future: FutureImage) -> Any {
      switch self {
      case .view:
        let view = imageView(100)
        view.futureImage = future
        return view
      case .slot:
        let view = imageView(100)
        FutureImage.Slot(\UIImageView.image).display(future, in: view)
        return view
      case .presentation:
        let view = imageView(100)
        view.display(future, .init(transition: .fade()))
        return view
      case .value: return Task { try await future.value }
      case .whenReady: return future.whenReady { _ in }
      case .phase: return future.phase
      case .phases: return future.phases()
      case .progress: return future.progress
      case .progressOfAll: return [future].progress
      case .image: return future.image as Any
      case .prefetch: return [future].prefetch(\.self)
      case .prefetchOfPixels: return [future].prefetch(\.self, fitting: .full)
      case .reload: return future.reload()
      case .tinted:
        let tinted = future.withTintColor(.red)
        return (tinted, Use.view.apply(to: (tinted as? FutureImage) ?? FutureImage()))
      }
    }
  }

  let fixture = LoaderFixture()

  func photo() throws -> Photo {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    let json = """
      {"urls": {"small": "https://shop.test/s.jpg", "large": "https://shop.test/l.jpg"},
       "details": ["https://shop.test/a.jpg", "https://shop.test/b.jpg", "https://shop.test/c.jpg"]}
      """
    return try decoder.decode(Photo.self, from: Data(json.utf8))
  }

  @Test func `showing one element of a dictionary fetches no other element`() async throws {
    let photo = try photo()
    let view = imageView(100)
    view.futureImage = photo.urls["small"]
    try #require(fixture.loader.statistics.futures == 1)
    await fixture.serve("s")
    #expect(fixture.held.requests.map(\.url) == [LoaderFixture.url("s")])
  }

  @Test func `counting or comparing elements, or reading their URLs and sizes, starts no fetch`() async throws {
    let photo = try photo()
    #expect(photo.details.count == 3 && photo.urls.keys.sorted() == ["large", "small"])
    #expect(photo.details.map(\.url) == ["a", "b", "c"].map { LoaderFixture.url($0) })
    #expect(Set(photo.details.map(\.key)).count == 3 && photo.details[0] != photo.details[1])
    #expect(photo.details.allSatisfy { $0.size == .zero })
    try #require(fixture.loader.statistics.futures == 0)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
  }

  @Test(arguments: Use.allCases) func `each way to use an element starts the fetch of that element`(_ use: Use) async throws {
    let photo = try photo()
    let element = photo.details[1]
    let result = use.apply(to: element)
    await fixture.held.waitForRequests()
    await fixture.serve("b")
    #expect(fixture.held.requests.map(\.url) == [LoaderFixture.url("b")])
    #expect(try await element.value.cgImage?.width == 1200)
    withExtendedLifetime(result) {}
  }

  @Test func `a view shows an element at once if another future with the same key already has pixels`() async throws {
    let (view, other) = (imageView(100), imageView(100))
    let future = fixture.future("b")
    view.futureImage = future
    await fixture.serve("b")
    let photo = try photo()
    other.futureImage = photo.details[1]
    // The view has all the pixels that it needs, so it no longer has a future.
    #expect(other.image === view.image && other.futureImage == nil)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `an element that many threads use at once is registered and requested once`() async throws {
    for round in 0..<20 {
      let fixture = LoaderFixture()
      let decoder = JSONDecoder()
      decoder.userInfo[FutureImage.loaderKey] = fixture.loader
      let photos = try decoder.decode(FutureImage.FromURL<[FutureImage]>.self, from: Data(#"["https://shop.test/\#(round).jpg"]"#.utf8))
      let element = photos.wrappedValue[0]
      async let widths = withThrowingTaskGroup(of: Int?.self) { group in
        for number in 0..<16 {
          group.addTask {
            if number.isMultiple(of: 3) { _ = element.phase }
            return try await element.value.cgImage?.width
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      await fixture.serve("\(round)")
      #expect(try await widths == [1200])
      #expect(fixture.held.requests.count == 1)
      #expect(fixture.loader.statistics.futures == 1)
      #expect(fixture.loader.futureCount == 1)
    }
  }

  @Test func `canceling an unused element starts no fetch, and the element can still be used`() async throws {
    let photo = try photo()
    photo.details[0].cancel()
    try #require(fixture.loader.statistics.futures == 0)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
    async let image = photo.details[0].value
    await fixture.serve("a")
    #expect(try await image.cgImage?.width == 1200)
  }

  @Test func `tinting an element starts no fetch before the tinted element is used`() async throws {
    let photo = try photo()
    let tinted = photo.details.map { $0.withTintColor(.red) }
    try #require(fixture.loader.statistics.futures == 0)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
    let view = imageView(100)
    view.futureImage = tinted[2] as? FutureImage
    await fixture.serve("c")
    #expect(fixture.held.requests.map(\.url) == [LoaderFixture.url("c")])
  }

  @Test func `releasing an unused element does not affect another future with the same key`() async throws {
    let future = fixture.future("a")
    async let image = future.value
    await fixture.serve("a")
    let first = try await image
    do {
      let photo = try photo()
      #expect(photo.details.count == 3)
    }
    #expect(fixture.loader.futureCount == 1)
    #expect(try await future.value === first)
  }

  @Test func `if an image is set for an element's key before the element is first used, the element has that image`() async throws {
    let photo = try photo()
    let element = photo.details[0]
    let other = fixture.future("a")
    async let former = other.value
    await fixture.serve("a")
    #expect(try await former.cgImage?.width == 1200)
    try await fixture.loader.set(SampleImage.image(40, 30), forKey: LoaderFixture.url("a").absoluteString)
    #expect(try await element.value.cgImage?.width == 40)
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test func `requesting the images of all elements fetches the elements at the same time`() async throws {
    let photo = try photo()
    async let images = photo.details.images()
    await fixture.held.waitForHeld(3)
    for name in ["a", "b", "c"] { fixture.held.resolve(LoaderFixture.url(name), with: SampleImage.jpeg(1200, 900)) }
    #expect(try await images.count == 3)
  }

  @Test func `a property with a single image starts the fetch when the property is read`() async throws {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    let optional = try decoder.decode(FutureImage.FromURL<FutureImage?>.self, from: Data(#""https://shop.test/a.jpg""#.utf8))
    let future = optional.wrappedValue
    await fixture.held.waitForRequests()
    withExtendedLifetime(future) {}
  }
}
