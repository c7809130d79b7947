#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImage
import Testing

/// The results of decoders.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DecodingTests {
  /// A PNG with a palette and one pixel, whose color is (200, 100, 50) with an alpha of 128.
  private static let indexed = """
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAMAAAAoyzS7AAAAA1BMVEXIZDLxgAUBAAAAAXRSTlOArV5bRgAAAApJREFUeJxjYAAAAAIAAUivpHEAAAAASUVORK5CYII=
    """

  /// Row 13 of the report that `Tests/first-run` writes. On iOS 17.0 to 17.2, ImageIO labels the pixels of such a file as not
  /// premultiplied, although they are premultiplied.
  @Test func `a translucent pixel of a PNG with a palette is decoded to its color`() throws {
    let data = try #require(Data(base64Encoded: Self.indexed))
    let decoder = FutureImage.StandardDecoder()
    let pixel = try #require(Pixels.first(try decoder.decode(data, size: decoder.size(of: data))))
    record(13, "a pixel of (200, 100, 50, 128)", pixel)
    let expected = SIMD4<Int>(200, 100, 50, 128)
    for channel in 0..<4 { #expect(abs(Int(pixel[channel]) - expected[channel]) <= 2) }
  }
}
#endif
