import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct BorderTests {
  typealias Transform = FutureImage.Transform
  typealias Color = FutureImage.Color
  typealias PixelBuffer = FutureImage.PixelBuffer

  private let red = Color(red: 1, green: 0, blue: 0)
  private let blue = PixelBuffer.plain(8, 6, SIMD4(0, 0, 255, 255))

  private func isEdge(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ line: Int) -> Bool {
    x < line || y < line || x >= width - line || y >= height - line
  }

  @Test(arguments: [1, 2, 3, 4, 100]) func `a border of whole pixels covers all four edges`(line: Int) throws {
    let bordered = try blue.after(.border(CGFloat(line), red))
    #expect((bordered.width, bordered.height) == (8, 6))
    let expected = PixelBuffer(8, 6) { x, y in isEdge(x, y, 8, 6, line) ? SIMD4(255, 0, 0, 255) : SIMD4(0, 0, 255, 255) }
    #expect(bordered == expected)
  }

  @Test func `a border of a fractional width covers its last pixel partially`() throws {
    let bordered = try blue.after(.border(1.5, red))
    #expect(bordered[0, 3] == SIMD4(255, 0, 0, 255))
    #expect(bordered[1, 3] == SIMD4(128, 0, 128, 255))
    #expect(bordered[2, 3] == SIMD4(0, 0, 255, 255))
  }

  @Test func `the width of a border is in points`() throws {
    let bordered = try blue.scaled(2).after(.border(1, red))
    #expect(bordered[1, 3] == SIMD4(255, 0, 0, 255))
    #expect(bordered[2, 3] == SIMD4(0, 0, 255, 255))
  }

  @Test func `a translucent border blends with the image and has its own color over transparent pixels`() throws {
    let glass = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
    #expect(try blue.after(.border(1, glass))[0, 0] == SIMD4(128, 0, 128, 255))
    let clear = PixelBuffer.plain(8, 6, SIMD4(9, 9, 9, 0))
    #expect(try clear.after(.border(1, glass))[0, 0] == SIMD4(255, 0, 0, 128))
    #expect(try clear.after(.border(1, glass))[3, 3] == SIMD4(9, 9, 9, 0))
    let invisible = Color(red: 1, green: 0, blue: 0, alpha: 0)
    #expect(try blue.after(.border(1, invisible)) == blue && clear.after(.border(1, invisible)) == clear)
  }

  @Test func `a border with a radius cuts the corners of the image exactly as roundedCorners does`() throws {
    let noise = PixelBuffer.noise(40, 30, seed: 3)
    for corners in [UIRectCorner.allCorners, [.topLeft, .topRight], .bottomRight, []] {
      let bordered = try noise.after(.border(3, red, radius: 9, corners))
      let rounded = try noise.after(.roundedCorners(9, corners))
      #expect(bordered.alphas == rounded.alphas)
      // The edge is the same whether the corners are cut before the border or with it.
      #expect(try rounded.after(.border(3, red, radius: 9, corners)).alphas == rounded.alphas)
      #expect(bordered[20, 0] == SIMD4(255, 0, 0, 255) && bordered[20, 2] == SIMD4(255, 0, 0, 255))
      #expect(bordered[20, 3] == noise[20, 3] && bordered[20, 15] == noise[20, 15])
    }
  }

  @Test func `the radius of a border is at most half of the shorter side`() throws {
    #expect(try blue.after(.border(1, red, radius: .infinity)).alphas == blue.after(.roundedCorners(.infinity)).alphas)
  }

  @Test func `a border has the same width all around a circle`() throws {
    let disc = try PixelBuffer.plain(41, 41, SIMD4(0, 0, 255, 255)).after(.circle.then(.border(4, red, radius: .infinity)))
    #expect(disc[0, 0].w == 0)
    // The border covers the pixels at 16.5 to 20.5 pixels from the center.
    for step in 0..<360 {
      let angle = Double(step) * .pi / 180
      func pixel(_ radius: Double) -> SIMD4<UInt8> {
        disc[Int(20.5 + radius * cos(angle)), Int(20.5 + radius * sin(angle))]
      }
      #expect(pixel(18.3).x == 255 && pixel(18.3).z == 0, "\(step)")
      #expect(pixel(14.8).x == 0 && pixel(14.8).z == 255, "\(step)")
    }
  }

  @Test func `an invalid width changes nothing, an invalid radius rounds no corner, and too large a width covers the image`() throws {
    for wrong in [CGFloat(0), -1, .nan, -.infinity] { #expect(try blue.after(.border(wrong, red, radius: 3)) == blue) }
    #expect(try blue.after(.border(.infinity, red)) == .plain(8, 6, SIMD4(255, 0, 0, 255)))
    #expect(try blue.after(.border(1, red, radius: .nan)) == blue.after(.border(1, red)))
    #expect(try PixelBuffer.plain(1, 1, SIMD4(0, 0, 255, 255)).after(.border(2, red)).bytes == [255, 0, 0, 255])
  }

  @Test func `two border transforms are equal only if all their arguments are equal`() {
    let green = Color(red: 0, green: 1, blue: 0)
    let transforms = [
      Transform.border(1, red), .border(2, red), .border(1, green), .border(1, red, radius: 1),
      .border(1, red, radius: 1, [.topLeft, .topRight]), .border(1, red, radius: 1, [.bottomLeft, .bottomRight])
    ]
    #expect(Set(transforms).count == 6)
    #expect(Transform.border(1, red, radius: 2) == .border(1, red, radius: 2, [.topLeft, .topRight, .bottomLeft, .bottomRight]))
  }
}
