import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Decodes a format that consists of a name and two bytes, which are the width and the height of a gray image.
private struct ToyDecoder: FutureImage.ImageDecoder {
  static let decodes: @Sendable (Data) -> Bool = { $0.starts(with: "TOY1".utf8) }
  var gray: UInt8 = 77

  static func data(width: UInt8, height: UInt8) -> Data { Data("TOY1".utf8) + [width, height] }

  func size(of data: Data) throws -> FutureImage.PixelSize {
    let bytes = Array(data.dropFirst(4))
    guard bytes.count == 2, bytes[0] > 0, bytes[1] > 0 else { throw FutureImage.Failure(.undecodable("no size in the toy")) }
    return FutureImage.PixelSize(width: Int(bytes[0]), height: Int(bytes[1]))
  }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
    let buffer = FutureImage.PixelBuffer(
      width: size.width, height: size.height, bytes: Array(repeating: gray, count: size.width * size.height * 4))
    guard let image = buffer?.makeImage() else { throw FutureImage.Failure(.undecodable("no memory")) }
    return image
  }
}

@MainActor @Suite("StandardDecoder", .tags(.threads), .timeLimit(.minutes(5)))
struct StandardDecoderTests {
  private func fixture(_ change: (inout FutureImage.StandardDecoder) -> Void) -> LoaderFixture {
    var decoder = FutureImage.StandardDecoder()
    change(&decoder)
    return LoaderFixture { $0.decoder = decoder }
  }

  private func reason(_ data: Data, _ fixture: LoaderFixture) async -> FutureImage.Failure.Reason? {
    let future = fixture.future()
    await fixture.serve("a", data)
    do {
      _ = try await future.value
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `an image in an app's format is decoded at the reduced size of its view`() async throws {
    let fixture = fixture { $0.add(ToyDecoder(), where: ToyDecoder.decodes) }
    let future = fixture.future()
    let view = imageView(20, 10)
    view.futureImage = future
    await fixture.serve("a", ToyDecoder.data(width: 160, height: 80))
    let image = try #require(view.image)
    #expect(image.size == CGSize(width: 160, height: 80) && image.cgImage?.width == 20)
    #expect(try #require(image.cgImage.flatMap { FutureImage.PixelBuffer($0, scale: 1) })[3, 3] == SIMD4(77, 77, 77, 77))
  }

  @Test func `the platform's formats are supported beside an added decoder, and data that no decoder can decode is refused`() async {
    let fixture = fixture { $0.add(ToyDecoder(), where: ToyDecoder.decodes) }
    #expect(await reason(SampleImage.jpeg(), fixture) == nil)
    #expect(await reason(ToyDecoder.data(width: 1, height: 1), self.fixture { _ in })?.isUndecodable == true)
    #expect(
      await reason(Data("TOY1".utf8), self.fixture { $0.add(ToyDecoder(), where: ToyDecoder.decodes) })
        == .undecodable("no size in the toy"))
  }

  @Test func `the decoder that was added last takes precedence, even over the platform's decoder`() throws {
    var decoder = FutureImage.StandardDecoder()
    decoder.add(ToyDecoder(gray: 1), where: ToyDecoder.decodes)
    decoder.add(ToyDecoder(gray: 2), where: ToyDecoder.decodes)
    decoder.add(ToyDecoder()) { $0.starts(with: [0xFF, 0xD8]) }
    let one = FutureImage.PixelSize(width: 1, height: 1)
    let image = try decoder.decode(ToyDecoder.data(width: 1, height: 1), size: one)
    #expect(FutureImage.PixelBuffer(image, scale: 1)?.bytes == [2, 2, 2, 2])
    #expect(throws: FutureImage.Failure(.undecodable("no size in the toy"))) { try decoder.size(of: SampleImage.jpeg()) }
  }

  @Test func `the decoder's limits apply to the platform's formats`() async {
    #expect(await reason(SampleImage.jpeg(64, 48), fixture { $0.limits.maxPixels = 64 * 48 }) == nil)
    #expect(await reason(SampleImage.jpeg(64, 48), fixture { $0.limits.maxPixels = 64 * 48 - 1 })?.isTooManyPixels == true)
    #expect(await reason(SampleImage.jpeg(64, 48), fixture { $0.limits.maxSide = 63 })?.isTooManyPixels == true)
    #expect(await reason(SampleImage.jpeg(48, 64), fixture { $0.limits.maxSide = 63 })?.isTooManyPixels == true)
    #expect(await reason(SampleImage.jpeg(64, 48), fixture { $0.limits.maxBytes = 64 * 48 * 4 }) == nil)
    #expect(await reason(SampleImage.jpeg(64, 48), fixture { $0.limits.maxBytes = 64 * 48 * 4 - 1 })?.isTooManyPixels == true)
  }
}
