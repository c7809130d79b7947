import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct BlurTests {
  typealias PixelBuffer = FutureImage.PixelBuffer

  @Test func `a blur turns one bright pixel into the bell curve that was computed by hand`() {
    // A blur with a deviation of √2 takes the mean of three pixels, three times. The resulting weights are 1, 3, 6, 7, 6, 3, and 1 parts
    // of 27. For a level of 255, the results are 9.4, 28.3, 56.7, and 66.1.
    var row = [UInt8](repeating: 0, count: 15)
    row[7] = 255
    let blurred = PixelBuffer(row: row).blurred(deviation: 2.0.squareRoot())
    #expect(blurred.reds == [0, 0, 0, 0, 9, 28, 57, 66, 57, 28, 9, 0, 0, 0, 0])
    #expect(blurred.alphas == [UInt8](repeating: 255, count: 15))
  }

  @Test(arguments: [0.5, 1, 2.3, 5, 11])
  func `a blur has the requested standard deviation`(deviation: Double) {
    // The row is white on one side. Its blur is the integral of the bell curve, so the differences between pixels are the bell curve.
    let picture = PixelBuffer(row: (0..<160).map { $0 < 80 ? 0 : 255 })
    let edge = picture.blurred(deviation: deviation).reds.map(Double.init)
    var (variance, total) = (0.0, 0.0)
    for x in 1..<160 {
      let (share, distance) = (edge[x] - edge[x - 1], Double(x) - 80)
      variance += share * distance * distance
      total += share
    }
    #expect(total == 255)
    #expect(abs((variance / total).squareRoot() - deviation) < 0.03 * deviation + 0.02)
    // For large deviations, no pixel differs by more than about a hundredth from the integral of the true bell curve.
    for x in 0..<160 {
      #expect(abs(edge[x] / 255 - erfc((80 - Double(x) - 0.5) / deviation / 2.0.squareRoot()) / 2) < 0.012 + 0.05 / deviation / deviation)
    }
  }

  @Test func `a blur is the same in all four directions`() {
    let size = 41
    let dot = PixelBuffer(size, size) { x, y in x == 20 && y == 20 ? SIMD4(255, 255, 255, 255) : SIMD4(0, 0, 0, 255) }
    let blurred = dot.blurred(deviation: 1.7)
    for y in 0..<size {
      for x in 0..<size {
        #expect(blurred[x, y] == blurred[size - 1 - x, y] && blurred[x, y] == blurred[x, size - 1 - y])
        #expect(abs(Int(blurred[x, y].x) - Int(blurred[y, x].x)) <= 1)
      }
    }
  }

  @Test(arguments: [0.3, 1, 4, 60, 1e4, 1e12, Double.infinity])
  func `a blur does not change an image of one color`(deviation: Double) {
    for (width, height) in [(1, 1), (1, 30), (30, 1), (20, 11)] {
      let plain = PixelBuffer.plain(width, height, SIMD4(200, 3, 77, 130))
      #expect(plain.blurred(deviation: deviation) == plain)
    }
  }

  @Test(arguments: [0.7, 2, 9, 40])
  func `a blur preserves the mean, even at the edges`(deviation: Double) {
    for seed in 0..<4 {
      let picture = PixelBuffer.noise(40, 30, seed: UInt64(seed), isOpaque: seed % 2 == 0)
      let (mean, wanted) = (picture.blurred(deviation: deviation).mean, picture.mean)
      for channel in 0..<4 { #expect(abs(mean[channel] - wanted[channel]) < 1) }
    }
  }

  @Test(arguments: [1e3, 1e9, .greatestFiniteMagnitude, Double.infinity])
  func `a blur with an enormous deviation turns every pixel into the mean`(deviation: Double) {
    let row = PixelBuffer(row: [10, 20, 30, 100, 0, 2])
    #expect(row.blurred(deviation: deviation).reds == [UInt8](repeating: 27, count: 6))
  }

  @Test(arguments: [CGFloat(0), -1, -CGFloat.infinity, CGFloat.nan])
  func `a blur with a radius that is not positive leaves the image unchanged`(radius: CGFloat) throws {
    let picture = PixelBuffer.noise(9, 7, seed: 3)
    #expect(try picture.after(.blur(radius)) == picture)
  }

  @Test func `a blur with a deviation of a twentieth of a pixel changes nothing`() {
    let row = PixelBuffer(row: [255, 0, 255])
    #expect(row.blurred(deviation: 0.05) == row)
  }

  @Test func `a blur does not spread the colors of transparent pixels`() {
    let picture = PixelBuffer(16, 16) { x, _ in x < 8 ? SIMD4(200, 0, 0, 255) : SIMD4(0, 255, 0, 0) }
    let blurred = picture.blurred(deviation: 3)
    #expect((1...254).contains(blurred[9, 8].w))
    for start in stride(from: 0, to: blurred.bytes.count, by: 4) where blurred.bytes[start + 3] > 0 {
      #expect(blurred.bytes[start] == 200 && blurred.bytes[start + 1] == 0)
    }
  }

  @Test func `the radius of a blur is in points, and blurs with different radii are not equal`() throws {
    let picture = PixelBuffer.noise(30, 20, seed: 4).scaled(2)
    #expect(try picture.after(.blur(3)) == picture.blurred(deviation: 6))
    #expect(FutureImage.Transform.blur(3) != .blur(3.5))
  }
}
