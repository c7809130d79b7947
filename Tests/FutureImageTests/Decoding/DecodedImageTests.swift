import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DecodedImageTests {
  /// Returns an image as the loader makes it from the pixels of a decode step. The full size of the image is 64 × 48 pixels.
  private func decoded(at step: DecodeStep = .full, size: CGSize? = nil, transform: FutureImage.Transform? = nil) throws -> UIImage {
    let variant = PixelPool.Variant(source: SourceKey("a"), size: size, transform: transform)
    let plan = variant.plan(for: FutureImage.PixelSize(width: 64, height: 48))
    let pixels = plan.decoded(at: step)
    let bitmap = try #require(SampleImage.image(pixels.width, pixels.height).cgImage)
    return try UIImage.decoded(bitmap, for: PixelPool.Key(variant: variant, step: step), by: plan)
  }

  @Test func `a reduced still image has no frames, no duration, and the size of the whole image`() throws {
    let image = try decoded(at: DecodeStep(fraction: 0.5))
    #expect(image.cgImage?.width == 32 && image.images == nil && image.duration == 0)
    #expect(image.size == CGSize(width: 64, height: 48) && image.naturalSize == FutureImage.PixelSize(width: 64, height: 48))
  }

  @Test func `the natural size of an image that the app made is its size in pixels`() {
    #expect(SampleImage.image(64, 48).naturalSize == FutureImage.PixelSize(width: 64, height: 48))
    #expect(UIImage().naturalSize == FutureImage.PixelSize(width: 1, height: 1))
  }

  @Test func `an image that the app made counts as an untransformed image of its own size`() {
    let image = SampleImage.image(64, 48)
    #expect(image.isMade(by: nil, size: nil) && image.isMade(by: nil, size: CGSize(width: 64, height: 48)))
    #expect(!image.isMade(by: nil, size: CGSize(width: 32, height: 24)))
    #expect(!image.isMade(by: .circle, size: nil))
  }

  @Test func `a decoded image matches only the transform that made it and the size that was given to its future`() throws {
    let size = CGSize(width: 32, height: 24)
    let image = try decoded(size: size, transform: .circle)
    #expect(image.size == CGSize(width: 24, height: 24))
    #expect(image.isMade(by: .circle, size: size) && !image.isMade(by: .circle, size: nil))
    #expect(!image.isMade(by: nil, size: size) && !image.isMade(by: .blur(1), size: size))
  }
}
