#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImage
import FutureImageCache
import Testing

enum MigratingSnippets {
  struct Person: Decodable {
    let name: String
    @FutureImage.FromURL var avatar: FutureImage?
  }

  @MainActor final class Cell {
    let avatarView = UIImageView()
  }

  @MainActor static func show(_ person: Person, in cell: Cell) {
    cell.avatarView.futureImage = person.avatar
  }

  final class PersonRow {
    let picture: FutureImage
    init(url: URL) { picture = FutureImage(at: url, placeholder: "person") }
  }

  struct Migration {
    func carryOver(_ bytes: Data, of url: URL, to cache: FutureImage.DiskCache = .standard) async throws {
      try await cache.store(FutureImage.CacheEntry(body: bytes), forKey: FutureImage.Source.url(url).key)
    }
  }
}

/// The calls in the last column of the tables of all migration pages.
@MainActor enum MigratingCalls {
  struct Spinner {
    func startAnimating() {}
    func stopAnimating() {}
  }

  final class Ring: UIView {}

  private static func show(_ fraction: Double) {}

  static func progress(_ view: UIImageView, _ photo: FutureImage) {
    view.display(photo, .init { phase in if case .loading(let fraction?) = phase { show(fraction) } })
  }

  static func views(_ view: UIImageView, _ item: Item, _ sketch: UIImage, _ broken: UIImage, _ spinner: Spinner) {
    view.futureImage = item.photo
    view.futureImage = nil
    FutureImage.Slot.highlightedImage.display(item.photo, in: view)
    view.display(item.photo, .init(placeholder: sketch))
    view.display(item.photo, .init(failureImage: broken))
    view.display(item.photo, .init(transition: .fade(seconds: 0.2)))
    view.display(item.photo, .init(transition: .animated(.transitionFlipFromLeft, seconds: 0.3)))
    view.display(item.photo, .init(contentModes: (image: .scaleAspectFill, placeholder: .center, failure: .center)))
    view.display(item.photo, .init(previewInterval: .milliseconds(200)))
    view.display(item.photo, .init(retriesOnTap: true))
    view.display(item.photo, .init(indicator: .activity))
    view.display(item.photo, .init(indicator: .custom { Ring() }))
    view.display(item.photo, .init { phase in phase.isFinal ? spinner.stopAnimating() : spinner.startAnimating() })
    view.display(item.photo.withRenderingMode(.alwaysTemplate))
  }

  static func buttons(_ button: UIButton, _ item: Item) {
    button.display(item.photo, for: .normal)
    button.display(nil, for: .normal)
    FutureImage.Slot.backgroundImage(for: .normal).display(item.photo, in: button)
  }

  static func loading(_ url: URL, _ item: Item) async throws -> [UIImage] {
    for await phase in item.photo.phases(fitting: .full) { print(phase) }
    item.photo.reload()
    item.photo.cancel()
    await FutureImage.Loader.shared.waitUntilIdle()
    return [
      try await item.photo.value,
      try await FutureImage(at: url).value,
      try await item.photo.value(fitting: .fit(width: 300, height: 300)),
      try await item.photo.value(resizedTo: FutureImage.PixelSize(width: 300, height: 300))
    ]
  }

  static func prefetching(_ items: [Item], _ photos: [FutureImage]) async -> FutureImage.Prefetch {
    let prefetch = items.prefetch(\.photo)
    prefetch.cancel()
    for await (offset, result) in photos.results(fitting: .full) { print(offset, result) }
    return items.prefetch(\.photo, fitting: .fill(width: 300, height: 300))
  }

  static func sources(_ url: URL, _ file: URL, _ bytes: Data, _ image: UIImage, _ token: String, _ id: Int) -> [FutureImage] {
    [
      FutureImage(.url(url, key: "print-\(id)")),
      FutureImage(.url(url, headers: ["Access-Token": token])),
      FutureImage(.file(file)),
      FutureImage(.data(key: "logo") { bytes }),
      FutureImage(.image(image, key: "draft"))
    ]
  }

  static func futures(_ url: URL, _ small: URL, _ file: URL, _ loader: FutureImage.Loader) -> [FutureImage] {
    [
      FutureImage(at: url),
      FutureImage(.url(url).onAvoidedNetworks(use: .url(small))),
      FutureImage(at: url, placeholder: .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")),
      FutureImage(at: url, cachePolicy: .modelOnly),
      FutureImage(at: url, cachePolicy: .automatic.onlyFromCache),
      FutureImage(at: url, cachePolicy: .toDisk(path: file)),
      FutureImage(at: url, size: CGSize(width: 320, height: 240)),
      FutureImage(at: url, transform: .roundedCorners(8)),
      FutureImage(at: url, priority: .high),
      FutureImage(at: url, loader: loader)
    ]
  }

  static func tints(_ color: UIColor) -> FutureImage.Transform { .tint(color) }

  static func transforms(_ color: UIColor, _ anchor: CGPoint) -> [FutureImage.Transform] {
    [
      .border(2, color),
      .border(2, color, radius: 8),
      .border(2, color, radius: 20, [.topLeft, .topRight]),
      .colorControls(brightness: 0.1, contrast: 1.2, saturation: 0.5),
      .colorControls(saturation: 0),
      .resize(to: CGSize(width: 160, height: 120), .fill),
      .resize(to: CGSize(width: 160, height: 120), .stretch),
      .resize(to: CGSize(width: 320, height: CGFloat.infinity)),
      .crop(CGRect(x: 0, y: 0, width: 100, height: 100)),
      .crop(toRatio: 1, anchor: anchor),
      .roundedCorners(20),
      .roundedCorners(20, [.topLeft, .topRight]),
      .circle,
      .blur(5),
      .tint(color),
      .blur(4).then(.roundedCorners(20)),
      .custom("sepia") { image in image }
    ]
  }

  static func configuration(_ folder: URL) -> FutureImage.Loader.Configuration {
    var configuration = FutureImage.Loader.Configuration()
    configuration.headers = ["User-Agent": "Shop/3.1"]
    configuration.retry = FutureImage.RetryPolicy(attempts: 6)
    configuration.timeout = .seconds(15)
    configuration.maxTransfers = 8
    configuration.maxBytes = 16 << 20
    configuration.maxDecodes = 2
    configuration.maxPixelBytes = 64 << 20
    configuration.avoidedNetworks = [.constrained]
    configuration.diskCache = FutureImage.DiskCache(maxBytes: 128 << 20, maxAge: .seconds(7 * 86_400))
    configuration.diskCache = FutureImage.DiskCache(directory: folder)
    configuration.diskCache = nil
    configuration.decodingLimits.maxFrames = 1
    return configuration
  }

  static func shareWithExtensions(_ configuration: inout FutureImage.Loader.Configuration) throws {
    configuration.diskCache = try FutureImage.DiskCache(appGroup: "group.com.example.shop")
  }

  static func share(_ configuration: FutureImage.Loader.Configuration) throws {
    try FutureImage.Loader.configureShared(configuration)
  }

  static func caches(_ photo: UIImage, _ key: String, _ loader: FutureImage.Loader) async throws -> (Data?, Int) {
    try await loader.set(photo, forKey: key)
    FutureImage.Loader.shared.removeCachedPixels()
    FutureImage.Loader.shared.retryFailed()
    try await FutureImage.DiskCache.standard.remove(forKey: key)
    try await FutureImage.DiskCache.standard.removeAll()
    try await FutureImage.DiskCache.standard.clean()
    let entry = try await FutureImage.DiskCache.standard.entry(forKey: key)
    return (entry?.body, await FutureImage.DiskCache.standard.totalBytes())
  }

  static func values(_ url: URL, _ text: String, _ key: String) async throws -> [String?] {
    let teaser = Cache<String>.Variant("teaser", .init(diskBytes: 10 << 20)) { String($0.prefix(80)) }
    let texts = Cache<String>(named: "texts", as: .string, variants: [teaser])
    texts.set(text, forKey: key)
    texts.remove(forKey: key)
    try await texts.removeAll()
    let bytes = await texts.sizes().diskBytes
    return [
      try await texts.value(from: url),
      try await texts.value(from: url, as: teaser),
      try await texts.value(from: .file(url)),
      try await texts.value(forKey: key),
      "\(bytes)"
    ]
  }

  static func bytes() -> Cache<Data> {
    Cache<Data>(named: "bytes", as: .data)
  }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MigratingPage {
  @Test func `an image whose bytes were copied from another library's cache is loaded without a request`() async throws {
    let cache = FutureImage.DiskCache(directory: Scratch.folder())
    try await MigratingSnippets.Migration().carryOver(SampleImage.jpeg(), of: LoaderFixture.url(), to: cache)
    let fixture = LoaderFixture(disk: cache)
    let picture = try await FutureImage(at: LoaderFixture.url(), loader: fixture.loader).value
    #expect(picture.size.width == 64)
    #expect(fixture.held.requests.isEmpty)
  }
}
#endif
