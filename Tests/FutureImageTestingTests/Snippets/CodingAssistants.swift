import Foundation
import FutureImage
import FutureImageCache
import FutureImageTesting
import Testing

#if !canImport(UIKit)
extension IndexPath {
  fileprivate var item: Int { self[count - 1] }
}
#endif

/// The code blocks of the page, inside the declarations that an app would have. They are in this target because they wait with the test
/// kit. These waits throw errors.
enum CodingAssistantsSnippets {
  struct Print: Decodable, Hashable, Sendable, Identifiable {
    let id: Int
    let width: Double
    let height: Double
    @FutureImage.FromURL var photo: FutureImage
    @FutureImage.FromURL var frame: FutureImage?
    @FutureImage.FromURL var details: [FutureImage]
    @FutureImage.FromURL var sizes: [String: FutureImage]
    @FutureImage.From<CoverPhoto, FutureImage> var cover: FutureImage
  }

  enum CoverPhoto: FutureImage.Recipe {
    static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "cover" }
    static var baseURL: URL? { URL(string: "https://shop.example/covers/") }
    static func size(in fields: FutureImage.SiblingFields) -> CGSize? { fields.size() }
  }

  static func decode(_ json: Data, _ loader: FutureImage.Loader) throws -> [Print] {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = loader
    decoder.userInfo[FutureImage.baseURLKey] = URL(string: "https://shop.example/feed.json")
    let prints = try decoder.decode([Print].self, from: json)
    return prints
  }

  private static func drawing() async throws -> Data { Data() }
  private static func drawing(fitting pixels: CGSize) async throws -> Data { Data() }

  static func futures(
    _ url: URL, _ signedURL: URL, _ darkURL: URL, _ file: URL, _ hash: String, _ token: String, _ camera: UIImage,
    _ loader: FutureImage.Loader
  ) -> [FutureImage] {
    let plain = FutureImage(at: url)
    let shown = FutureImage(at: url, placeholder: "print", size: CGSize(width: 320, height: 240), loader: loader)
    let hashed = FutureImage(at: url, placeholder: .blurHash(hash), transform: .circle, priority: .high)
    let secret = FutureImage(.url(url, headers: ["Authorization": token]), cachePolicy: .modelOnly)
    let signed = FutureImage(.url(signedURL, key: "print-7"))
    let cached = FutureImage(at: url, cachePolicy: .automatic.onlyFromCache)
    let onDisk = FutureImage(.file(file))
    let drawn = FutureImage(.data(key: "code-7") { try await drawing() })
    let taken = FutureImage(.image(camera, key: "draft"))
    let map = FutureImage(.url(url).inDarkMode(use: .url(darkURL)))
    let page = FutureImage(.sized(key: "page-3") { pixels in .bytes(try await drawing(fitting: pixels)) })
    return [plain, shown, hashed, secret, signed, cached, onDisk, drawn, taken, map, page]
  }

  #if canImport(UIKit) || canImport(UIKitStandIn)
  @MainActor static func bind(
    _ print: Print, _ imageView: UIImageView, _ button: UIButton, _ cell: UITableViewCell, _ content: UIListContentConfiguration,
    _ broken: UIImage, _ pictureOrFuture: UIImage
  ) {
    imageView.futureImage = print.photo  // reading it returns nil after the view has all its pixels, if there is no image for dark mode
    imageView.futureImage = nil
    FutureImage.Slot.highlightedImage.display(print.photo, in: imageView)
    imageView.display(
      print.photo, .init(transition: .fade(), failureImage: broken, indicator: .activity, retriesOnTap: true))
    imageView.display(pictureOrFuture)
    cell.display(content)  // a content configuration whose image is a future
    print.photo.measureViews()  // after a rotation or a zoom
    button.display(print.photo, for: .normal)  // not button.display(print.photo), because a button has an image for each state
    FutureImage.Slot.backgroundImage(for: .normal).display(print.photo, in: button)
  }
  #endif

  @MainActor final class Icon {
    var image: UIImage?
  }

  @MainActor private static func show(_ result: Result<UIImage, FutureImage.Failure>, at offset: Int) {}
  @MainActor private static func show(_ phase: FutureImage.Phase) {}
  @MainActor private static func show(_ image: UIImage) {}
  @MainActor private static func show(_ text: String, canRetry: Bool) {}
  @MainActor private static func show(_ statistics: FutureImage.Statistics, _ inventory: String) {}
  @MainActor private static func use(_ picture: UIImage) {}
  private static func record(_ key: String, _ event: FutureImage.Loader.Event) {}
  private static func signed(_ request: FutureImage.Request) async throws -> FutureImage.Request { request }
  private static func sepia(_ image: UIImage, _ strength: Double) -> UIImage { image }

  @MainActor static func wait(_ photo: FutureImage, _ photos: [FutureImage], _ prints: [Print], _ icon: Icon) async throws -> [UIImage] {
    let whole = try await photo.value
    let reduced = try await photo.value(fitting: .fit(width: 400, height: 400))
    let exact = try await photo.value(resizedTo: FutureImage.PixelSize(width: 320, height: 240), .fill)
    let file = try await photo.encoded(resizedTo: FutureImage.PixelSize(width: 320, height: 240), .fill, as: .webp)
    let all = try await photos.images(fitting: .fill(width: 400, height: 300))
    for await (offset, result) in photos.results() { show(result, at: offset) }
    for await phase in photo.phases(fitting: .full) { show(phase) }
    photo.whenReady(fitting: .fill(width: 84, height: 84)) { result in icon.image = try? result.get() }
    photo.reload()
    await photos.reload()  // returns the failure of each future, or nil
    await prints.reload(\.photo)  // for pull to refresh: reloads only the images that are in use
    photo.cancel()
    _ = file
    return [whole, reduced, exact] + all
  }

  @MainActor final class List {
    var prefetch: FutureImage.Prefetch?
    private let prefetcher = FutureImage.Prefetcher<Print>()

    func comeNearer(_ prints: [Print], _ visible: Range<Int>, _ next: [Print]) {
      prefetch = prints[visible.upperBound...].prefix(20).prefetch(\.photo)
      prefetcher.prefetch(next) { $0.photo }  // models, because an index path may refer to another row later
      prefetcher.cancel(next)
    }

    func holdPrefetch(_ prints: [Print]) {
      // Wrong: nothing retains the prefetch, so it ends at once.
      _ = prints.prefetch(\.photo)
      // Right: a property retains the prefetch as long as the rows may appear.
      prefetch = prints.prefetch(\.photo)
    }
  }

  static func chains() -> [FutureImage.Transform] {
    let transforms: [FutureImage.Transform] = [
      .resize(to: CGSize(width: 160, height: 120), .fill).then(.roundedCorners(8)),
      .resize(toPixels: FutureImage.PixelSize(width: 320, height: 240)),
      .crop(toRatio: 16 / 9, anchor: CGPoint(x: 0.5, y: 0)).then(.blur(4)),
      .circle,
      .tint(UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)),
      .border(2, .white, radius: 8),
      .colorControls(brightness: 0.1, contrast: 1.2, saturation: 0),
      .custom("sepia 0.8") { image in sepia(image, 0.8) }
    ]
    return transforms
  }

  @MainActor static func load(_ url: URL, _ camera: UIImage) async throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.headers = ["User-Agent": "Shop/3.1"]
    configuration.maxPixelBytes = 64 << 20
    configuration.diskCache = FutureImage.DiskCache(maxBytes: 128 << 20)
    configuration.prepareRequest = { request in try await signed(request) }
    configuration.onEvent = { key, event in record(key, event) }
    let loader = FutureImage.Loader(configuration)
    loader.retryFailed()
    loader.removeCachedPixels()
    try await loader.set(camera, forKey: FutureImage.Source.url(url).key)
    await loader.waitUntilIdle()
    show(loader.statistics, loader.inventory)
  }

  static func values(_ url: URL) async throws {
    let feeds = Cache<[String]>(named: "feeds", as: .json)
    let headlines = try await feeds.value(from: url)
    feeds.set(headlines, forKey: "front page")
    await feeds.waitUntilIdle()
  }

  @MainActor static func fail(_ photo: FutureImage, _ missing: UIImage) async {
    do throws(FutureImage.Failure) {
      show(try await photo.value)
    } catch {
      switch error.reason {
      case .cancelled: break
      case .status(404): show(missing)
      default: show(error.localizedDescription, canRetry: error.isTransient)
      }
    }
  }

  static func test(_ url: URL) async throws -> UIImage {
    let fetcher = HeldFetcher()
    let loader = FutureImage.Loader(.held(by: fetcher))
    let future = FutureImage(at: url, loader: loader)
    try await fetcher.waitForRequests()
    fetcher.resolve(with: TestImage(width: 64, height: 48).jpeg)
    let picture = try await future.value
    try await loader.waitUntilIdle(within: .standard)
    return picture
  }

  // The code blocks of the section about traps.

  @MainActor static func assign(_ print: Print, _ imageView: UIImageView) {
    // Wrong: the view shows the placeholder forever.
    imageView.image = print.photo
    // Right. If an image may be a future or another image, call `display(_:)` instead.
    imageView.futureImage = print.photo
  }

  #if canImport(UIKit) || canImport(UIKitStandIn)
  @MainActor final class PhotoCell: UITableViewCell {
    let photoView = UIImageView()
  }

  @MainActor static func fillWrongly(_ cell: PhotoCell, _ print: Print) {
    var content = UIListContentConfiguration.cell()
    // Wrong: the row shows the placeholder forever.
    content.image = print.photo
    cell.contentConfiguration = content
  }

  @MainActor static func fill(_ cell: PhotoCell, _ print: Print, _ content: UIListContentConfiguration) {
    var content = content
    // Right: this binds the cell. When the image arrives, it is written into the configuration that the cell has then.
    content.image = print.photo
    content.imageProperties.maximumSize = CGSize(width: 60, height: 60)
    cell.display(content)
    // Right, if the row has its own image view.
    cell.photoView.futureImage = print.photo
  }
  #endif

  @MainActor static func follow(_ photo: FutureImage) async {
    // Wrong: this loop requests nothing. If no view shows the image, the loop ends with `.fetched`, without pixels.
    for await phase in photo.phases() {
      if case .ready(let picture) = phase { use(picture) }
    }
    // Right: this loop requests the image, and its last phase is `.ready` or `.failed`.
    for await phase in photo.phases(fitting: .full) {
      if case .ready(let picture) = phase { use(picture) }
    }
  }

  static func count(_ prints: [Print]) -> Int {
    // Wrong: counting the photos reads each `photo`, which starts a fetch for each print.
    let wrongCount = prints.map(\.photo).count
    // Right: counting the models or a wrapped collection, or reading an element's `url`, fetches nothing.
    let count = prints.count + prints[0].details.count
    return count - wrongCount
  }

  struct Row {
    let photo: FutureImage
  }

  struct LazyRow {
    @FutureImage.FromURL var photo: FutureImage

    init(photo: FutureImage.FromURL<FutureImage>) { _photo = photo }
  }

  static func rows(_ urls: [URL]) -> Int {
    // Wrong: 700 rows start 700 requests, although the screen shows ten rows.
    let wrongRows = urls.map { Row(photo: FutureImage(at: $0)) }
    // Right: the wrapper makes each future when the row's `photo` is first read.
    let rows = urls.map { LazyRow(photo: FutureImage.FromURL("\($0)")) }
    return rows.count - wrongRows.count
  }

  @MainActor static func inTurn(_ prints: [Print]) async throws {
    // Wrong: the images are loaded one after the other.
    for print in prints { use(try await print.photo.value) }
    // Right: all images are loaded together.
    for await (_, result) in prints.map(\.photo).results() { use(try result.get()) }
  }

  static func derive(_ photo: FutureImage) async throws -> [Data?] {
    // Wrong: this returns the bytes of the placeholder, or nil.
    let wrongBytes = photo.jpegData(compressionQuality: 0.8)
    // Right: this returns the bytes of the loaded image.
    let bytes = try await photo.encoded(as: .jpeg).data
    return [wrongBytes, bytes]
  }

  static func small(_ photo: FutureImage) async throws -> [UIImage] {
    // Wrong, if you write or upload the thumbnail: it usually has more pixels than the box.
    let wrongThumbnail = try await photo.value(fitting: .fit(width: 320, height: 320))
    // Right: the longer side has 320 pixels.
    let thumbnail = try await photo.value(resizedTo: FutureImage.PixelSize(width: 320, height: 320))
    return [wrongThumbnail, thumbnail]
  }

  @MainActor static func zoom(_ imageView: UIImageView, _ print: Print) {
    // Right: after the view grows or is zoomed, call `measureViews()`, so that the pixels for the new size are decoded.
    imageView.bounds.size = CGSize(width: 1200, height: 900)
    print.photo.measureViews()
  }

  static func tone(_ strength: Double) -> [FutureImage.Transform] {
    // Wrong: images of one strength are shown where another strength is expected.
    let wrongSepia = FutureImage.Transform.custom("sepia") { sepia($0, strength) }
    // Right: the name contains everything that the transform depends on.
    let rightSepia = FutureImage.Transform.custom("sepia \(strength)") { sepia($0, strength) }
    return [wrongSepia, rightSepia]
  }

  static func settle(_ fetcher: HeldFetcher, _ loader: FutureImage.Loader, _ jpeg: Data) async throws {
    fetcher.resolve(with: jpeg)
    try await loader.waitUntilIdle(within: .standard)
  }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CodingAssistantsPage {
  private typealias Page = CodingAssistantsSnippets

  @Test func `the test code on the documentation page returns the image`() async throws {
    let url = try #require(URL(string: "https://shop.test/a.jpg"))
    #expect(try await Page.test(url).size == CGSize(width: 64, height: 48))
  }

  @Test func `the models on the documentation page decode relative URLs without starting a request`() throws {
    let json = #"""
      [{ "id": 7, "width": 30, "height": 20, "photo": "7.jpg", "details": ["a.jpg"], "sizes": { "small": "s.jpg" }, "cover": "c.jpg" }]
      """#
    let loader = FutureImage.Loader(.held(by: HeldFetcher()))
    let print = try #require(try Page.decode(Data(json.utf8), loader).first)
    #expect(print.frame == nil && print.details.count == 1 && print.sizes["small"]?.url?.absoluteString == "https://shop.example/s.jpg")
    #expect(loader.statistics.requests == 0)
  }
}
