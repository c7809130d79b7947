import Foundation
import Testing
import UIKitStandIn

@Suite("UIImage preparation", .tags(.threads), .timeLimit(.minutes(5)))
struct UIImagePreparingTests {
  private func image() throws -> Subclass {
    let bitmap = try #require(CGImage.noise(24, 16, opaque: true))
    return Subclass(base: UIImage(cgImage: bitmap, scale: 2, orientation: .right), cgImage: bitmap)
  }

  @Test func `an image prepared for display is a decoded copy of the same class with the same pixels`() async throws {
    let image = try image()
    let prepared = try #require(image.preparingForDisplay())
    let later = try #require(await image.byPreparingForDisplay())
    for copy in [prepared, later] {
      #expect(type(of: copy) == Subclass.self && copy != image && copy.cgImage?.bytes == image.cgImage?.bytes)
    }
    let png = try #require(image.pngData())
    let encoded = try #require(UIImage(data: png))
    #expect(encoded.cgImage?.isDecoded == false && encoded.preparingForDisplay()?.cgImage?.isDecoded == true)
  }

  @Test func `a thumbnail is a copy that has the class of the image and the given size in points`() async throws {
    let image = try UIImage(cgImage: #require(CGImage.noise(24, 16, opaque: true)), scale: 2, orientation: .right)
    let size = CGSize(width: 4, height: 6)
    let small = try #require(image.preparingThumbnail(of: size))
    #expect(small.size == size && small.scale == 2 && small.imageOrientation == .right)
    #expect(small.cgImage?.width == 12 && small.cgImage?.height == 8)
    #expect(await image.byPreparingThumbnail(ofSize: size)?.cgImage?.bytes == small.cgImage?.bytes)
    #expect(image.preparingThumbnail(of: CGSize(width: 100, height: 100))?.size == image.size)
    #expect(try type(of: #require(self.image().preparingThumbnail(of: size))) == Subclass.self)
  }

  @Test func `completion handlers are called off the main thread`() async throws {
    let image = try image()
    let result = await withCheckedContinuation { continuation in
      image.prepareForDisplay { continuation.resume(returning: ($0, Thread.isMainThread)) }
    }
    #expect(result.0?.cgImage?.bytes == image.cgImage?.bytes && !result.1)
    let small = await withCheckedContinuation { continuation in
      image.prepareThumbnail(of: CGSize(width: 1, height: 1)) { continuation.resume(returning: ($0, Thread.isMainThread)) }
    }
    #expect(small.0?.cgImage?.width == 2 && !small.1)
  }

  @Test func `an empty image and an empty size give no prepared image`() async throws {
    #expect(UIImage().preparingForDisplay() == nil)
    #expect(await UIImage().byPreparingForDisplay() == nil)
    #expect(UIImage().preparingThumbnail(of: CGSize(width: 1, height: 1)) == nil)
    #expect(try image().preparingThumbnail(of: .zero) == nil)
    #expect(try image().preparingThumbnail(of: CGSize(width: CGFloat.nan, height: 1)) == nil)
  }
}
