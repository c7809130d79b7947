import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FuturePlaceholderTests {
  @Test func `the placeholder of a future has the size that the image has after the transform`() throws {
    let fixture = LoaderFixture()
    let placeholder = FutureImage.Placeholder.thumbHash("1QcSHQRnh493V4dIh4eXh1h4kJUI")
    let future = FutureImage(
      at: LoaderFixture.url(), placeholder: placeholder, size: CGSize(width: 300, height: 200),
      transform: .resize(to: CGSize(width: 90, height: 160), .fill),
      loader: fixture.loader)
    #expect(future.size == CGSize(width: 90, height: 160))
    let bitmap = try #require(future.cgImage)
    // The fill mode leaves the middle of the placeholder's 30 × 20 pixels.
    #expect((bitmap.width, bitmap.height) == (11, 20))
    let other = FutureImage(
      at: LoaderFixture.url("b"), placeholder: placeholder, size: CGSize(width: 300, height: 200), transform: future.descriptor?.transform,
      loader: fixture.loader)
    #expect(other.borrowed === future.borrowed)
    let unknown = FutureImage(.url(LoaderFixture.url()), placeholder: placeholder, loader: fixture.loader)
    #expect(unknown.size == CGSize(width: 23, height: 32))
  }

  @Test func `a placeholder has the shape that the transform gives to the image`() throws {
    let fixture = LoaderFixture()
    func placeholder(_ transform: FutureImage.Transform?, size: CGSize? = CGSize(width: 90, height: 60)) throws -> FutureImage.PixelBuffer {
      let future = FutureImage(
        .url(LoaderFixture.url()), placeholder: .color(hex: "f00"), size: size, transform: transform, loader: fixture.loader)
      let bitmap = try #require(future.borrowed?.original.cgImage)
      return try #require(FutureImage.PixelBuffer(bitmap, scale: 1))
    }
    let circle = try placeholder(.tint(.blue).then(.circle).then(.blur(4)))
    #expect((circle.width, circle.height) == (20, 20))
    #expect(circle[0, 0].w == 0 && circle[19, 19].w == 0 && circle[10, 10] == SIMD4(255, 0, 0, 255) && circle[10, 0].w > 200)
    let rounded = try placeholder(.roundedCorners(30))
    #expect((rounded.width, rounded.height) == (30, 20))
    #expect(rounded[0, 0].w == 0 && rounded[15, 0].w == 255)
    // A custom step is not applied to a placeholder.
    #expect(try placeholder(.custom("own") { _ in throw CancellationError() })[0, 0].w == 255)
    // Without a size, a radius in points has no meaning.
    #expect(try placeholder(.roundedCorners(30), size: nil)[0, 0].w == 255)
    // A transform that would result in too many pixels is not applied to a placeholder.
    let enlarged = FutureImage.Transform.resize(to: CGSize(width: 9000, height: 6000), .fill, enlarges: true)
    #expect(try placeholder(enlarged).width == 30)
  }

  @Test func `a placeholder may be nil, an image, or a color`() {
    let fixture = LoaderFixture()
    let (none, color): (FutureImage.Placeholder?, FutureImage.Placeholder?) = (nil, .color(hex: "fff"))
    let sizes = [none, .image(SampleImage.image(8, 6)), color].map {
      FutureImage(at: LoaderFixture.url(), placeholder: $0, loader: fixture.loader).size
    }
    #expect(sizes.prefix(2) == [.zero, CGSize(width: 8, height: 6)])
    #expect(sizes[2] != .zero)
  }

  @Test func `a source's placeholder may be nil, and a name that matches no asset shows nothing`() throws {
    let fixture = LoaderFixture()
    let none: FutureImage.Placeholder? = nil
    let source = FutureImage.Source.url(LoaderFixture.url())
    let size = CGSize(width: 8, height: 6)
    #expect(FutureImage(source, placeholder: .image(SampleImage.image(8, 6)), loader: fixture.loader).size == size)
    #expect(FutureImage(source, placeholder: none, loader: fixture.loader).size == .zero)
    #expect(FutureImage(source, placeholder: .color(hex: "fff"), loader: fixture.loader).size != .zero)
    #expect(FutureImage(source, placeholder: "no such asset", loader: fixture.loader).size == .zero)
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `an asset's name can be the placeholder of a source or a URL`() throws {
    // The stand-in searches this folder for the assets of packages.
    let name = "placeholder-\(UUID().uuidString)"
    let folder = Bundle.main.bundleURL.appending(path: "\(name).resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try SampleImage.jpeg(8, 6).write(to: folder.appending(path: "\(name).jpg"))
    let fixture = LoaderFixture()
    let size = CGSize(width: 8, height: 6)
    #expect(FutureImage(.url(LoaderFixture.url()), placeholder: .named(name), loader: fixture.loader).size == size)
    #expect(FutureImage(at: LoaderFixture.url(), placeholder: .named(name), loader: fixture.loader).size == size)
  }
  #endif

  @Test func `a missing placeholder and a placeholder that cannot be decoded show nothing`() {
    let fixture = LoaderFixture()
    let hash: String? = nil
    for future in [
      FutureImage(at: LoaderFixture.url(), placeholder: hash.map { .blurHash($0) }, loader: fixture.loader),
      FutureImage(at: LoaderFixture.url(), placeholder: .blurHash("no"), loader: fixture.loader),
      FutureImage(at: LoaderFixture.url(), placeholder: nil, loader: fixture.loader),
      FutureImage(.url(LoaderFixture.url()), placeholder: nil, loader: fixture.loader)
    ] {
      #expect(future.borrowed == nil && future.size == .zero)
    }
  }
}
