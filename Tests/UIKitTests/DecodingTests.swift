import Foundation
import FutureImage
import Testing

/// The results of decoders.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DecodingTests {
  /// A PNG of one pixel with a palette: (200, 100, 50), alpha 128.
  private static let indexed = """
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAMAAAAoyzS7AAAAA1BMVEXIZDLxgAUBAAAAAXRSTlOArV5bRgAAAApJREFUeJxjYAAAAAIAAUivpHEAAAAASUVORK5CYII=
    """

  /// Row 13. iOS 17.0 to 17.2 label its premultiplied pixels as straight.
  @Test func `a translucent pixel of a palette has its color`() throws {
    let data = try #require(Data(base64Encoded: Self.indexed))
    let decoder = FutureImage.StandardDecoder()
    let pixel = try #require(Pixels.first(try decoder.decode(data, size: decoder.size(of: data))))
    record(13, "a pixel of (200, 100, 50, 128)", pixel)
    let expected = SIMD4<Int>(200, 100, 50, 128)
    for channel in 0..<4 { #expect(abs(Int(pixel[channel]) - expected[channel]) <= 2) }
  }
}
