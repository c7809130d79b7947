import Foundation
import FutureImage
import Testing

// On Linux, this code is parsed and not type-checked, because neither Linux nor `Tests/UIKitContract` has these frameworks.
#if canImport(Photos) && canImport(AVFoundation) && canImport(PDFKit)
import AVFoundation
import PDFKit
import Photos
import os

extension FutureImage.Source {
  /// A photo of the user's library.
  static func asset(_ asset: PHAsset) -> Self {
    let (id, changed) = (asset.localIdentifier, asset.modificationDate?.timeIntervalSinceReferenceDate ?? 0)
    let whole = CGSize(width: asset.pixelWidth, height: asset.pixelHeight)
    return .sized(key: "asset \(id) \(changed)", wholeSize: whole) { pixels in .image(try await libraryImage(id, pixels)) }
  }

  /// A frame of a video.
  static func frame(of video: URL, second: Double) -> Self {
    .sized(key: "\(video.path) at \(second)") { pixels in
      let generator = AVAssetImageGenerator(asset: AVURLAsset(url: video))
      generator.appliesPreferredTrackTransform = true
      generator.maximumSize = pixels
      return .image(UIImage(cgImage: try await generator.image(at: CMTime(seconds: second, preferredTimescale: 600)).image))
    }
  }

  /// A page of a PDF, counted from 0.
  static func page(_ number: Int, of file: URL) -> Self {
    .sized(key: "\(file.path) page \(number)") { pixels in
      guard let page = PDFDocument(url: file)?.page(at: number) else {
        throw FutureImage.Failure(.unreadable("the document has no such page"))
      }
      return .image(page.thumbnail(of: pixels, for: .cropBox))
    }
  }
}

/// Returns the photo, fitted into a box of this size in pixels. If the task is canceled, it cancels the request, which then fails.
private func libraryImage(_ id: String, _ pixels: CGSize) async throws -> UIImage {
  guard let asset = PHAsset.fetchAssets(withLocalIdentifiers: [id], options: nil).firstObject else {
    throw FutureImage.Failure(.unreadable("the library has no such photo any more"))
  }
  let options = PHImageRequestOptions()
  // In this mode, the manager returns only the final image, without a blurred image before it.
  options.deliveryMode = .highQualityFormat
  options.isNetworkAccessAllowed = true
  let manager = PHImageManager.default()
  let request = OSAllocatedUnfairLock(initialState: PHInvalidImageRequestID)
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      let number = manager.requestImage(for: asset, targetSize: pixels, contentMode: .aspectFit, options: options) { image, info in
        if let image { return continuation.resume(returning: image) }
        continuation.resume(throwing: info?[PHImageErrorKey] as? any Error ?? CancellationError())
      }
      request.withLock { $0 = number }
      if Task.isCancelled { manager.cancelImageRequest(number) }
    }
  } onCancel: {
    manager.cancelImageRequest(request.withLock { $0 })
  }
}

extension ExtendingSnippets {
  static func made(_ asset: PHAsset, _ video: URL, _ file: URL) -> [FutureImage] {
    let photo = FutureImage(.asset(asset))
    let poster = FutureImage(.frame(of: video, second: 3))
    let page = FutureImage(.page(0, of: file), transform: .roundedCorners(8))
    return [photo, poster, page]
  }
}
#endif

@MainActor final class ProfileView: UIView {
  var cover: UIImage?
}

enum ExtendingSnippets {
  #if canImport(UIKit) || canImport(UIKitStandIn)
  final class AvatarView: UIView, ImageDisplaying {
    var image: UIImage? { didSet { redraw() } }

    var pixelFitting: FutureImage.Fitting? {
      let scale = traitCollection.displayScale
      return bounds.isEmpty ? nil : .fill(FutureImage.PixelSize(bounds.size, scale: scale))
    }

    private func redraw() {}
  }
  #endif

  struct Account {
    let photo: FutureImage
  }

  @MainActor static func show(_ user: Account, in profileView: ProfileView) {
    FutureImage.Slot(\ProfileView.cover).display(user.photo, in: profileView)
  }

  @MainActor final class Poster {
    private var subscription: FutureImage.Subscription?
    private var box: FutureImage.Fitting?

    func show(_ photo: FutureImage) {
      subscription = FutureImage.Subscription(of: photo, fitting: box) { [weak self] subscription in self?.draw(subscription.image) }
      draw(subscription?.image)
    }

    /// Sets the size in points. The scale is the number of pixels per point.
    func layOut(in size: CGSize, scale: CGFloat) {
      box = .fill(FutureImage.PixelSize(size, scale: scale))
      subscription?.fitting = box
    }

    func draw(_ image: UIImage?) {}
  }

  @Sendable static func sign(_ url: URL) async throws -> String { url.path }

  static func signing() -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    configuration.prepareRequest = { request in
      guard request.url.host() == "images.example.com" else { return request }
      var request = request
      request.headers["X-Signature"] = try await sign(request.url)
      return request
    }
    let loader = FutureImage.Loader(configuration)
    return loader
  }

  struct OfflineFirst: FutureImage.Fetcher {
    let bundled: [String: Data]
    let base: any FutureImage.Fetcher

    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      guard let picture = bundled[request.url.path()] else { return try await base.fetch(request, receive: receive) }
      try receive(.response(FutureImage.Response(status: 200, expectedBytes: picture.count)))
      try receive(.bytes(picture))
    }
  }

  static func bundle(_ pictures: [String: Data], _ configuration: inout FutureImage.Loader.Configuration) {
    configuration.fetcher = OfflineFirst(bundled: pictures, base: configuration.fetcher)
  }

  private static func grayImage(_ bytes: Data, _ size: FutureImage.PixelSize) -> CGImage? {
    guard bytes.count >= size.width * size.height else { return nil }
    let rgba = bytes.prefix(size.width * size.height).flatMap { (gray: UInt8) -> [UInt8] in [gray, gray, gray, 255] }
    return SampleImage.cgImage(size.width, size.height, rgba)
  }

  struct GrayDecoder: FutureImage.ImageDecoder {
    func size(of data: Data) throws -> FutureImage.PixelSize {
      let header = Array(data.prefix(6))
      guard header.count == 6, header[4] > 0, header[5] > 0 else { throw FutureImage.Failure(.undecodable("its header is broken")) }
      return FutureImage.PixelSize(width: Int(header[4]), height: Int(header[5]))
    }

    func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
      guard let image = grayImage(data.dropFirst(6), size) else { throw FutureImage.Failure(.undecodable("it ends early")) }
      return image
    }
  }

  static func decoding(_ configuration: inout FutureImage.Loader.Configuration) {
    configuration.addDecoder(GrayDecoder()) { $0.starts(with: "GRAY".utf8) }
  }

  private static func toned(_ bitmap: CGImage) throws -> CGImage { bitmap }

  static func portrait(_ url: URL) -> FutureImage {
    let sepia = FutureImage.Transform.custom("sepia") { image in
      guard let bitmap = image.cgImage else { return image }
      return UIImage(cgImage: try toned(bitmap), scale: image.scale, orientation: .up)
    }
    let portrait = FutureImage(at: url, transform: sepia.then(.circle))
    return portrait
  }

  actor Vault: FutureImage.DiskTier {
    private var entries: [String: FutureImage.CacheEntry] = [:]

    func entry(forKey key: String) async throws -> FutureImage.CacheEntry? { entries[key] }
    func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws { entries[key] = entry }
    func remove(forKey key: String) async throws { entries[key] = nil }
  }

  static func statement(_ url: URL, _ vault: Vault, _ loader: FutureImage.Loader) -> FutureImage {
    let statement = FutureImage(at: url, cachePolicy: .tiers(disk: vault), loader: loader)
    return statement
  }
}

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ExtendingPage {
  @Test func `a custom fetcher answers requests for bundled images, and passes other requests to its base fetcher`() async throws {
    let fixture = LoaderFixture { ExtendingSnippets.bundle(["/a.jpg": SampleImage.jpeg(64, 48)], &$0) }
    #expect(try await fixture.future("a").value.cgImage?.width == 64)
    #expect(fixture.held.requests.isEmpty)
    let other = fixture.future("b")
    await fixture.serve("b", SampleImage.jpeg(32, 24))
    #expect(try await other.value.cgImage?.width == 32)
  }

  #if canImport(UIKit) || canImport(UIKitStandIn)
  @Test func `a view shows an image that a custom decoder decodes, and a custom disk tier stores its bytes`() async throws {
    let fixture = LoaderFixture { ExtendingSnippets.decoding(&$0) }
    let vault = ExtendingSnippets.Vault()
    let future = ExtendingSnippets.statement(LoaderFixture.url(), vault, fixture.loader)
    let view = ExtendingSnippets.AvatarView(frame: CGRect(x: 0, y: 0, width: 3, height: 2))
    view.futureImage = future
    await fixture.serve("a", Data("GRAY".utf8) + [3, 2, 10, 20, 30, 40, 50, 60])
    #expect(view.image?.size == CGSize(width: 3, height: 2))
    #expect(try await vault.entry(forKey: LoaderFixture.url().absoluteString)?.body.count == 12)
  }
  #endif
}
