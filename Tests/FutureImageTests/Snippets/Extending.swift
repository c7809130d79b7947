import Foundation
import FutureImage
import Testing

@MainActor final class ProfileView: UIView {
  var cover: UIImage?
}

extension FutureImage.Slot where Owner == ProfileView {
  static var cover: Self { Self("cover", get: { $0.cover }, set: { $0.cover = $1 }) }
}

enum ExtendingSnippets {
  final class AvatarView: UIView, FutureImageBinding {
    var image: UIImage? { didSet { redraw() } }

    var pixelFitting: FutureImage.Fitting? {
      let scale = traitCollection.displayScale
      return bounds.isEmpty ? nil : .fill(CGSize(width: bounds.width * scale, height: bounds.height * scale))
    }

    private func redraw() {}
  }

  struct Account {
    let photo: FutureImage
  }

  @MainActor static func show(_ user: Account, in profileView: ProfileView) {
    user.photo.show(in: profileView, .cover)
  }

  struct Signing: FutureImage.Fetcher {
    let base: any FutureImage.Fetcher
    let sign: @Sendable (URL) -> String

    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      var request = request
      request.headers["X-Signature"] = sign(request.url)
      try await base.fetch(request, receive: receive)
    }
  }

  static func sign(_ url: URL) -> String { url.path }

  static func signing() -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    configuration.fetcher = Signing(base: configuration.fetcher) { sign($0) }
    let loader = FutureImage.Loader(configuration)
    return loader
  }

  private static func grayImage(_ bytes: Data, _ size: FutureImage.PixelSize) -> CGImage? {
    guard bytes.count >= size.width * size.height else { return nil }
    let rgba = bytes.prefix(size.width * size.height).flatMap { (gray: UInt8) -> [UInt8] in [gray, gray, gray, 255] }
    return Picture.cgImage(size.width, size.height, rgba)
  }

  struct GrayDecoder: FutureImage.ImageDecoder {
    static let signature = FutureImage.Signature("GRAY")

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
    var decoder = FutureImage.StandardDecoder()
    decoder.add(GrayDecoder(), for: GrayDecoder.signature)
    configuration.decoder = decoder
  }

  static func portrait(_ url: URL) -> FutureImage {
    let sepia = FutureImage.Transform.custom("sepia") { pixels in
      var pixels = pixels
      pixels.withBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: 4) {
          let gray = Double(bytes[start]) * 0.3 + Double(bytes[start + 1]) * 0.59 + Double(bytes[start + 2]) * 0.11
          bytes[start] = UInt8(gray)
          bytes[start + 1] = UInt8(gray * 0.84)
          bytes[start + 2] = UInt8(gray * 0.66)
        }
      }
      return pixels
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
  @Test func `a format of one's own is shown, and kept in a tier of one's own`() async throws {
    let shop = Shop { ExtendingSnippets.decoding(&$0) }
    let vault = ExtendingSnippets.Vault()
    let future = ExtendingSnippets.statement(Shop.url(), vault, shop.loader)
    let view = ExtendingSnippets.AvatarView(frame: CGRect(x: 0, y: 0, width: 3, height: 2))
    view.futureImage = future
    await shop.serve("a", Data("GRAY".utf8) + [3, 2, 10, 20, 30, 40, 50, 60])
    #expect(view.image?.size == CGSize(width: 3, height: 2))
    #expect(try await vault.entry(forKey: Shop.url().absoluteString)?.body.count == 12)
  }
}
