import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FuturePlaceholderTests {
  @Test func `a future shows its placeholder in the size after its transform`() throws {
    let shop = Shop()
    let placeholder = FutureImage.Placeholder.thumbHash("1QcSHQRnh493V4dIh4eXh1h4kJUI")
    let future = FutureImage(
      at: Shop.url(), placeholder: placeholder, size: CGSize(width: 300, height: 200),
      transform: .resize(to: CGSize(width: 90, height: 160), .fill),
      loader: shop.loader)
    #expect(future.size == CGSize(width: 90, height: 160))
    #expect(future.borrowed?.original === placeholder.image(size: future.size))
    let bitmap = try #require(future.cgImage)
    #expect((bitmap.width, bitmap.height) == (18, 32))
    let unknown = FutureImage(.url(Shop.url()), placeholder: placeholder, loader: shop.loader)
    #expect(unknown.size == CGSize(width: 23, height: 32))
  }

  @Test func `a placeholder may be nil, whatever its type`() {
    let shop = Shop()
    let image = Picture.image(8, 6)
    let (none, some): (UIImage?, UIImage?) = (nil, image)
    let (noName, color): (String?, FutureImage.Placeholder?) = (nil, .color(hex: "fff"))
    let sizes = [
      FutureImage(at: Shop.url(), placeholder: none, loader: shop.loader),
      FutureImage(at: Shop.url(), placeholder: some, loader: shop.loader),
      FutureImage(at: Shop.url(), placeholder: image, loader: shop.loader),
      FutureImage(at: Shop.url(), placeholder: noName, loader: shop.loader),
      FutureImage(at: Shop.url(), placeholder: color, loader: shop.loader)
    ].map(\.size)
    let size = CGSize(width: 8, height: 6)
    #expect(sizes.prefix(4) == [.zero, size, size, .zero])
    #expect(sizes[4] != .zero)
  }

  @Test func `a source's placeholder may be nil, and a name that matches no asset shows nothing`() throws {
    let shop = Shop()
    let image = Picture.image(8, 6)
    let (none, noName): (UIImage?, String?) = (nil, nil)
    let source = FutureImage.Source.url(Shop.url())
    let size = CGSize(width: 8, height: 6)
    #expect(FutureImage(source, placeholder: image, loader: shop.loader).size == size)
    #expect(FutureImage(source, placeholder: none, loader: shop.loader).size == .zero)
    #expect(FutureImage(source, placeholder: noName, loader: shop.loader).size == .zero)
    #expect(FutureImage(source, placeholder: .color(hex: "fff"), loader: shop.loader).size != .zero)
    #expect(FutureImage(source, placeholder: "no such asset", loader: shop.loader).size == .zero)
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `an asset's name can be the placeholder of a source or a URL`() throws {
    // The stand-in looks for the assets of packages here.
    let name = "placeholder-\(UUID().uuidString)"
    let folder = Bundle.main.bundleURL.appending(path: "\(name).resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Picture.jpeg(8, 6).write(to: folder.appending(path: "\(name).jpg"))
    let shop = Shop()
    let size = CGSize(width: 8, height: 6)
    #expect(FutureImage(.url(Shop.url()), placeholder: name, loader: shop.loader).size == size)
    #expect(FutureImage(at: Shop.url(), placeholder: name, loader: shop.loader).size == size)
  }
  #endif

  @Test func `a missing placeholder and one that cannot be decoded show nothing`() {
    let shop = Shop()
    let hash: String? = nil
    for future in [
      FutureImage(at: Shop.url(), placeholder: hash.map { .blurHash($0) }, loader: shop.loader),
      FutureImage(at: Shop.url(), placeholder: .blurHash("no"), loader: shop.loader),
      FutureImage(at: Shop.url(), placeholder: nil, loader: shop.loader),
      FutureImage(.url(Shop.url()), placeholder: nil, loader: shop.loader)
    ] {
      #expect(future.borrowed == nil && future.size == .zero)
    }
  }
}
