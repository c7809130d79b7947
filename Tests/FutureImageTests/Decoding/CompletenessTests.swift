import Foundation
import Testing

@testable import FutureImage

/// Tests the platform's decoder with files that end early. The results are the same on all platforms.
@Suite(.timeLimit(.minutes(5))) struct CompletenessTests {
  private let decoder = makePlatformDecoder(FutureImage.DecodingLimits())

  /// Returns the reason for which the data cannot be decoded at the size of the whole image; nil if the data is decoded.
  private func failure(_ data: Data, _ whole: Data) -> FutureImage.Failure.Reason? {
    do {
      _ = try decoder.decode(data, size: decoder.size(of: whole))
      return nil
    } catch {
      return (error as? FutureImage.Failure)?.reason
    }
  }

  static let pictures = ["jpeg/baseline.jpg", "jpeg/progressive.jpg", "pngsuite/basn3p08.png", "gif/still.gif", "webp/lossy.webp"]

  @Test(arguments: pictures)
  func `a whole image is decoded, and an image without its last pixels or its second half is refused`(path: String) throws {
    let data = try EndOfDataTests.fixture(path)
    #expect(failure(data, data) == nil)
    #expect(failure(data + [0, 0], data) == nil)
    // The last 12 bytes of a PNG are its IEND chunk, which has no pixels.
    #expect(failure(data.dropLast(path.hasSuffix("png") ? 24 : 12), data) == .undecodable("it ends early"))
    #expect(failure(data.prefix(data.count / 2), data) == .undecodable("it ends early"))
  }

  @Test(arguments: ["jpeg/baseline.jpg", "jpeg/progressive.jpg", "gif/no-trailer.gif"])
  func `an image that lacks only its end marker is decoded`(path: String) throws {
    let data = try EndOfDataTests.fixture(path)
    #expect(failure(path.hasSuffix("gif") ? data : data.dropLast(2), data) == nil)
  }

  @Test func `an animation that ends inside a frame is refused, and an animation that ends after a frame is decoded`() throws {
    let data = try EndOfDataTests.fixture("gif/dispose-keep.gif")
    let size = try decoder.size(of: data)
    #expect(try decoder.animation(of: data, size: size)?.durations.count == 5)
    // The last byte is the trailer, which is not part of a frame.
    #expect(try decoder.animation(of: data.dropLast(), size: size)?.durations.count == 5)
    #expect(throws: FutureImage.Failure.self) { try decoder.animation(of: data.dropLast(2), size: size) }
    #expect(throws: FutureImage.Failure.self) { try decoder.animation(of: data.dropLast(12), size: size) }
  }
}
