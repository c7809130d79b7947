import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct JPEGQualityTests {
  typealias Transform = FutureImage.Transform
  typealias PixelBuffer = FutureImage.PixelBuffer

  @Test func `lower quality resembles the image less, and the lowest still gives an image`() throws {
    let picture = try #require(PixelBuffer.fixture("resize/opaque.png"))
    let likeness = try [-1, 0, 0.3, 0.8, 1, 2].map { try picture.after(.jpegQuality($0)).likeness(picture) }
    #expect(likeness[0] == likeness[1] && likeness[4] == likeness[5])
    #expect(likeness[1] > 10 && likeness[1] + 1 < likeness[2] && likeness[2] + 1 < likeness[3] && likeness[3] < likeness[4])
    #expect(likeness[4] < .infinity)
  }

  @Test func `the result equals a JPEG saved with that quality`() throws {
    let picture = try #require(PixelBuffer.fixture("resize/opaque.png"))
    let data = try #require(picture.makeImage().flatMap { UIImage(cgImage: $0).jpegData(compressionQuality: 0.4) })
    let saved = try #require(UIImage(data: data)?.cgImage.flatMap { PixelBuffer($0, scale: 1) })
    #expect(try picture.after(.jpegQuality(0.4)) == saved)
  }

  @Test func `alpha is preserved, and transparent pixels do not bleed into their neighbors`() throws {
    let cut = PixelBuffer(16, 16) { x, _ in x < 5 ? SIMD4(200, 40, 40, 255) : SIMD4(0, 255, 0, 0) }
    let saved = try cut.scaled(2).after(.jpegQuality(0.5))
    #expect(saved.alphas == cut.alphas && saved.scale == 2)
    for y in 0..<16 {
      for x in 0..<5 {
        let pixel = saved[x, y]
        #expect(abs(Int(pixel.x) - 200) < 6 && abs(Int(pixel.y) - 40) < 6 && abs(Int(pixel.z) - 40) < 6)
      }
    }
  }

  @Test func `an image without a visible pixel stays transparent`() throws {
    #expect(try PixelBuffer.plain(8, 8, SIMD4(1, 2, 3, 0)).after(.jpegQuality(0.5)).alphas == [UInt8](repeating: 0, count: 64))
  }

  @Test func `a quality of NaN changes nothing, and an image too large for a JPEG fails with the reason`() throws {
    let picture = PixelBuffer.noise(9, 7, seed: 5)
    #expect(try picture.after(.jpegQuality(.nan)) == picture)
    let long = PixelBuffer.plain(65_501, 1, SIMD4(1, 2, 3, 255))
    #expect(throws: FutureImage.Failure(.transformFailed("JPEG quality 0.5: 65501 × 1 pixels do not fit into a JPEG; make it smaller"))) {
      try long.after(.jpegQuality(0.5))
    }
    #expect(Transform.jpegQuality(0.5) != .jpegQuality(0.51))
  }
}
