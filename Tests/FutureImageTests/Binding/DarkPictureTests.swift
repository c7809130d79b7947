import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Futures that have another image for views in dark mode.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DarkPictureTests {
  let fixture = LoaderFixture { $0.retry = .never }
  let view = imageView(64)

  var source: FutureImage.Source { .url(LoaderFixture.url("light")).inDarkMode(use: .url(LoaderFixture.url("dark"))) }

  func future(placeholder: UIImage? = nil, policy: FutureImage.CachePolicy = .automatic) -> FutureImage {
    FutureImage(source, placeholder: placeholder.map { .image($0) }, cachePolicy: policy, loader: fixture.loader)
  }

  func serve(_ name: String, _ color: TestColor) async { await fixture.serve(name, color.jpeg(1200, 900)) }

  func requested() -> [String] { fixture.held.requests.map { $0.url.lastPathComponent } }

  var isRed: Bool { TestColor.red.isNearly(view.image?.color) }
  var isBlue: Bool { TestColor.blue.isNearly(view.image?.color) }

  // MARK: Which image is fetched and shown

  @Test func `a future that no view shows fetches neither the light nor the dark image`() async {
    let photo = future()
    await fixture.loader.waitForIdle()
    #expect(requested().isEmpty)
    #expect(photo.key == LoaderFixture.url("light").absoluteString)
  }

  @Test func `a light view shows the light image and does not fetch the dark image`() async {
    view.futureImage = future()
    await serve("light", .red)
    #expect(isRed)
    #expect(requested() == ["light.jpg"])
  }

  @Test func `a dark view shows the dark image and does not fetch the light image`() async {
    view.change(to: .dark)
    view.futureImage = future()
    await serve("dark", .blue)
    #expect(isBlue)
    #expect(requested() == ["dark.jpg"])
  }

  @Test func `a dark view that has grown gets more pixels when it is measured again`() async {
    view.change(to: .dark)
    let photo = future()
    view.futureImage = photo
    await serve("dark", .blue)
    #expect(view.image?.cgImage?.width ?? .max < 600)
    view.bounds.size = CGSize(width: 600, height: 450)
    photo.measureViews()
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width ?? 0 >= 600)
    #expect(requested() == ["dark.jpg"])
  }

  @Test func `an awaited reload reloads only the image that a view shows`() async {
    view.change(to: .dark)
    let photo = future()
    view.futureImage = photo
    await serve("dark", .blue)
    async let failures = [photo].reload()
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(404))
    #expect(await failures.map { $0?.reason } == [.status(404)])
    #expect(requested() == ["dark.jpg", "dark.jpg"])
  }

  @Test func `if a future has a light and a dark image, the properties value and image return the light image`() async throws {
    let photo = future()
    let waiting = Task { try await photo.value }
    await serve("light", .red)
    let image = try await waiting.value
    #expect(TestColor.red.isNearly(image.color))
    #expect(TestColor.red.isNearly(photo.image?.color))
    #expect(requested() == ["light.jpg"])
  }

  // MARK: When the style changes

  @Test func `a view whose style changes shows the image of the old style until the new style's image arrives`() async {
    let photo = future()
    view.futureImage = photo
    await serve("light", .red)
    view.change(to: .dark)
    #expect(isRed)
    #expect(view.futureImage === photo)
    await serve("dark", .blue)
    #expect(isBlue)
    // Both images have loaded now.
    view.change(to: .light)
    #expect(isRed)
    view.change(to: .dark)
    #expect(isBlue)
    #expect(requested() == ["light.jpg", "dark.jpg"])
  }

  @Test func `a view shows the placeholder in either style before an image arrives`() async {
    let placeholder = SampleImage.image(10, 10)
    let photo = future(placeholder: placeholder)
    view.futureImage = photo
    #expect(view.image === photo)
    view.change(to: .dark)
    #expect(view.futureImage === photo)
    // This is the default color of `SampleImage.image`, so it is the color of the placeholder.
    #expect(TestColor(red: 200, green: 80, blue: 40).isNearly(view.image?.color))
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("light"), with: TestColor.red.jpeg())
    await fixture.held.waitForHeld()
    await serve("dark", .blue)
    #expect(isBlue)
  }

  @Test func `the futureImage property of a view returns the same future in light mode and in dark mode`() async {
    let photo = future()
    view.futureImage = photo
    await serve("light", .red)
    #expect(view.futureImage === photo)
    view.change(to: .dark)
    await serve("dark", .blue)
    #expect(view.futureImage === photo)
  }

  @Test func `a change of style does not replace an image that the app has set, and starts no request`() async {
    view.futureImage = future()
    await serve("light", .red)
    let other = SampleImage.image(10, 10)
    view.image = other
    view.change(to: .dark)
    #expect(view.image === other)
    view.futureImage = nil
    view.change(to: .light)
    #expect(view.image == nil)
    #expect(requested() == ["light.jpg"])
  }

  @Test func `if a light view and a dark view show the same future, each view shows the image for its own style`() async {
    let dark = imageView(64)
    dark.change(to: .dark)
    let photo = future()
    view.futureImage = photo
    dark.futureImage = photo
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("dark"), with: TestColor.blue.jpeg(1200, 900))
    await serve("light", .red)
    #expect(isRed)
    #expect(TestColor.blue.isNearly(dark.image?.color))
  }

  @Test func `a second, larger view in dark mode gets the dark image with more pixels`() async {
    let large = imageView(1200)
    large.change(to: .dark)
    view.change(to: .dark)
    let photo = future()
    view.futureImage = photo
    await serve("dark", .blue)
    large.futureImage = photo
    await fixture.loader.waitForIdle()
    #expect(large.image?.cgImage?.width == 1200 && TestColor.blue.isNearly(large.image?.color))
  }

  @Test func `an object that shows an image and is not a view gets the light image`() async {
    @MainActor final class Layer: ImageDisplaying {
      var image: UIImage?
    }
    let layer = Layer()
    layer.futureImage = future()
    await serve("light", .red)
    #expect(TestColor.red.isNearly(layer.image?.color))
  }

  // MARK: Lifetimes

  @Test func `a view that is its future's only owner follows style changes, and releases the future when the app empties the view`() async {
    weak var photo: FutureImage?
    do {
      let made = future()
      view.futureImage = made
      photo = made
    }
    await serve("light", .red)
    view.change(to: .dark)
    await serve("dark", .blue)
    #expect(isBlue)
    #expect(photo != nil)
    view.futureImage = nil
    await fixture.loader.waitForIdle()
    // The thread that decoded the image may retain the future a moment longer.
    await waitWhile(photo != nil)
    #expect(fixture.loader.futureCount == 0)
  }

  // MARK: Presentations and failures

  @Test func `in dark mode, a future has the progress of its dark image, and the light image is not fetched`() async throws {
    view.change(to: .dark)
    let photo = future()
    view.futureImage = photo
    await fixture.held.waitForHeld()
    fixture.held.begin(LoaderFixture.url("dark"), with: Data(count: 100), of: 1_000)
    try await eventually("a tenth of the bytes has arrived") { photo.progress.fractionCompleted == 0.1 }
    #expect(requested() == ["dark.jpg"])
    photo.cancel()
    await fixture.loader.waitForIdle()
  }

  @Test func `a presentation reports when the light image is ready, and, after a change of style, when the dark image is ready`() async {
    let phases = Lock<[String]>([])
    view.display(future(), .init { phase in phases.withLock { $0.append("\(phase)".prefix { $0 != "(" }.lowercased()) } })
    await serve("light", .red)
    view.change(to: .dark)
    await serve("dark", .blue)
    #expect(isBlue)
    #expect(phases.withLock { $0.filter { $0.hasPrefix("ready") } }.count == 2)
  }

  @Test func `a dark view continues to show the light image if the dark image fails`() async {
    view.futureImage = future()
    await serve("light", .red)
    view.change(to: .dark)
    await fixture.held.waitForHeld()
    fixture.held.fail(LoaderFixture.url("dark"))
    await fixture.loader.waitForIdle()
    #expect(isRed)
  }

  @Test func `a failure image is shown if the dark image fails`() async {
    let broken = SampleImage.image(10, 10, red: 0, green: 250, blue: 0)
    view.display(future(), .init(failureImage: broken))
    await serve("light", .red)
    view.change(to: .dark)
    await fixture.held.waitForHeld()
    fixture.held.fail(LoaderFixture.url("dark"))
    await fixture.loader.waitForIdle()
    #expect(TestColor(green: 250).isNearly(view.image?.color))
    view.change(to: .light)
    #expect(isRed)
  }

  @Test func `a reload applies only to images that views show, but a cancellation applies to the light and the dark image`() async {
    view.change(to: .dark)
    let photo = future()
    view.futureImage = photo
    await serve("dark", .blue)
    photo.reload()
    await serve("dark", .red)
    #expect(isRed)
    #expect(requested() == ["dark.jpg", "dark.jpg"])
    view.change(to: .light)
    await fixture.held.waitForHeld()
    photo.reload()
    await fixture.held.waitForHeld(2)
    photo.cancel()
    await fixture.held.waitForCancellations(2)
    await fixture.loader.waitForIdle()
    #expect(isRed)
  }

  // MARK: Caches and sources

  @Test func `if the app supplies a cache and a key, the light image is stored in the cache, but the dark image is not`() async {
    let cache = NSCache<NSString, UIImage>()
    view.change(to: .dark)
    let photo = future(policy: .using(cache: cache, key: "k"))
    view.futureImage = photo
    await serve("dark", .blue)
    #expect(isBlue)
    #expect(cache.object(forKey: "k") == nil)
    view.change(to: .light)
    await serve("light", .red)
    #expect(isRed)
    #expect(TestColor.red.isNearly(cache.object(forKey: "k")?.color))
  }

  @Test func `each modifier of a source preserves the properties that other modifiers have set`() {
    let plain = FutureImage.Source.url(LoaderFixture.url("light"))
    let both = plain.inDarkMode(use: .url(LoaderFixture.url("dark"))).onAvoidedNetworks(use: .url(LoaderFixture.url("small")))
    let reversed = plain.onAvoidedNetworks(use: .url(LoaderFixture.url("small"))).inDarkMode(use: .url(LoaderFixture.url("dark")))
    for source in [both, reversed, both.renewing { _, _ in nil }, reversed.renewing { _, _ in nil }] {
      #expect(source.key == plain.key)
      #expect(source.dark?.key == LoaderFixture.url("dark").absoluteString)
      #expect(source.smaller?.key == LoaderFixture.url("small").absoluteString)
    }
    let renewing = both.renewing { _, _ in nil }
    #expect(renewing.renewal != nil && renewing.dark?.renewal != nil && renewing.smaller?.renewal != nil)
    let data = FutureImage.Source.data(key: "d") { Data() }.inDarkMode(use: plain).renewing { _, _ in nil }
    #expect(data.renewal == nil && data.dark?.renewal != nil)
    #expect(plain.dark == nil && plain.isPlainRequest && both.requestedURL == LoaderFixture.url("light"))
  }

  enum Map: FutureImage.Recipe {
    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      let source = FutureImage.Source.url(try fields.url(for: text))
      guard let dark = fields.value("dark", as: URL.self) else { return source }
      return source.inDarkMode(use: .url(dark))
    }
  }

  struct Shop: Decodable {
    let dark: URL?
    @FutureImage.From<Map, FutureImage> var map: FutureImage
  }

  @Test func `a recipe reads the light image's URL from one field of an object and the dark image's URL from another field`() async throws {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    let json = #"[{"map": "https://shop.test/light.jpg", "dark": "https://shop.test/dark.jpg"}, {"map": "https://shop.test/b.jpg"}]"#
    let shops = try decoder.decode([Shop].self, from: Data(json.utf8))
    view.change(to: .dark)
    view.futureImage = shops[0].map
    await serve("dark", .blue)
    #expect(isBlue)
    view.futureImage = shops[1].map
    await serve("b", .red)
    #expect(isRed)
    #expect(requested() == ["dark.jpg", "b.jpg"])
  }

  @Test func `if a future has no dark image, its loaded image replaces the future in the view`() async {
    let photo = fixture.future("light")
    view.futureImage = photo
    await serve("light", .red)
    #expect(view.futureImage == nil && !(view.image is FutureImage))
  }
}
