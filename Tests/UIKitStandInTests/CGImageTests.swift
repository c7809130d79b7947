import Testing
import UIKitStandIn

@Suite("CGImage", .timeLimit(.minutes(5)))
struct CGImageTests {
  @Test func `an image stores the given bytes row by row`() throws {
    let rgba = (0..<24).map(UInt8.init)
    let image = try #require(CGImage(width: 3, height: 2, rgba: rgba))
    #expect(image.width == 3 && image.height == 2 && image.bytesPerRow == 12)
    #expect(image.bytes == rgba)
    #expect(image.pixel(1, 1) == Pixel(16, 17, 18, 19))
  }

  @Test func `an image rejects impossible sizes and sizes that do not match the bytes`() {
    #expect(CGImage(width: 3, height: 2, rgba: []) == nil)
    #expect(CGImage(width: 2, height: 2, rgba: [UInt8](repeating: 0, count: 17)) == nil)
    #expect(CGImage(width: 0, height: 0, rgba: []) == nil)
    #expect(CGImage(width: -1, height: -1, rgba: [0, 0, 0, 0]) == nil)
    #expect(CGImage(width: .max, height: .max) { _ in } == nil)
    #expect(CGImage(width: 1 << 31 - 1, height: 1 << 31 - 1) { _ in } == nil)
    #expect(CGImage(width: 1 << 32, height: 1) { _ in } == nil)
  }

  @Test func `an error of the initializing closure is rethrown`() {
    #expect(throws: CodecError.unrecognized) {
      try CGImage(width: 1, height: 1) { _ throws(CodecError) in throw .unrecognized }
    }
  }

  @Test func `images are compared by their pixels`() throws {
    let image = try #require(CGImage.noise(5, 4, opaque: false))
    let twin = try #require(CGImage(width: 5, height: 4, rgba: image.bytes))
    #expect(image.hasSamePixels(as: twin))
    var bytes = image.bytes
    bytes[79] ^= 1
    #expect(try !image.hasSamePixels(as: #require(CGImage(width: 5, height: 4, rgba: bytes))))
    #expect(try !image.hasSamePixels(as: #require(CGImage(width: 4, height: 5, rgba: image.bytes))))
  }
}
