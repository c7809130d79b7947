import Foundation
import Testing
import UIKitStandIn

/// Compares reduced photos with the result of a three-lobed Lanczos filter over all their pixels, in decibels.
@Suite("Photo thumbnails", .timeLimit(.minutes(5)))
struct PhotoThumbnailTests {
  private func photo(_ name: String) throws -> Data {
    let photos = Fixture.directory.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Demo/Sources/Storefront/Photos")
    return try Data(contentsOf: photos.appendingPathComponent("\(name).jpg"))
  }

  /// For comparison: at these sizes, libjpeg's smallest scale that is not below the requested size, followed by a filter with two lobes,
  /// reaches only 33.4, 33.9, 34.0, and 37.2 dB.
  @Test(arguments: [(160, 107, 46), (192, 128, 43.5), (96, 64, 42), (112, 75, 40)])
  func `thumbnails of the demo's photos are close to the result of a filter over all pixels`(width: Int, height: Int, least: Double) throws
  {
    let names = ["01-stone-building", "05-motocross", "08-market-place", "13-mountain-stream"]
    let ratios = try names.map { name in
      let data = try photo(name)
      let size = PixelSize(width: width, height: height)
      let reference = try #require(ImageCodecs.decode(data).resampled(to: size, lobes: 3))
      return try #require(ImageCodecs.decode(data, size: size).peakSignalToNoise(against: reference))
    }
    #expect(ratios.reduce(0, +) / Double(ratios.count) >= least, "\(ratios)")
    #expect(ratios.allSatisfy { $0 >= least - 4 }, "\(ratios)")
  }

  @Test(arguments: ["05-motocross", "08-market-place"], [1, 2, 4])
  func `thumbnails are close to those of another decoder`(name: String, sixteenths: Int) throws {
    let reference = try ImageCodecs.decode(Fixture.data("thumbnails/\(name)-\(sixteenths).png"))
    let image = try ImageCodecs.decode(photo(name), size: PixelSize(width: reference.width, height: reference.height))
    let ratio = try #require(image.peakSignalToNoise(against: reference))
    #expect(ratio >= 36, "\(ratio) dB")
  }

  /// Returns 192 × 128 pixels from the middle of a photo at full size.
  private func detail(_ name: String) throws -> CGImage {
    let photo = try ImageCodecs.decode(photo(name))
    return try #require(CGImage.drawn(192, 128) { photo.pixel($0 + 288, $1 + 192) })
  }

  private func expectLikeness(_ data: Data, _ width: Int) throws {
    let size = PixelSize(width: width, height: width * 2 / 3)
    let reference = try #require(ImageCodecs.decode(data).resampled(to: size, lobes: 3))
    let ratio = try #require(ImageCodecs.decode(data, size: size).peakSignalToNoise(against: reference))
    #expect(ratio >= 30, "\(ratio) dB")
  }

  @Test(
    arguments: ["08-market-place", "31-grass", "05-motocross"],
    [11, 23, 31, 44, 47, 60, 70, 94, 130, 190])
  func `thumbnails at sizes between the JPEG decoder's scales are close to the result of a filter over all pixels`(
    name: String, width: Int
  ) throws {
    try expectLikeness(#require(ImageCodecs.jpeg(detail(name), quality: 0.9)), width)
  }

  @Test(arguments: [11, 31, 60, 94, 190])
  func `thumbnails of a PNG and a WebP are close to the result of a filter over all pixels`(width: Int) throws {
    try expectLikeness(#require(ImageCodecs.png(detail("08-market-place"))), width)
    try expectLikeness(Fixture.data("beginnings/lossy.webp"), width)
  }
}
