import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct IndexedPNGTests {
  @Test func `a PNG whose palette has transparent colors is recognized by its chunks`() throws {
    let found = try EndOfDataTests.names(in: "pngsuite").filter { IndexedPNG.hasTransparency(try EndOfDataTests.fixture($0)) }
    #expect(
      Set(found.map { String($0.dropFirst("pngsuite/".count)) }) == [
        "tbbn3p08.png", "tbgn3p08.png", "tbwn3p08.png", "tbyn3p08.png", "tm3n3p02.png", "tp1n3p08.png"
      ])
    #expect(try !IndexedPNG.hasTransparency(EndOfDataTests.fixture("jpeg/gray.jpg")) && !IndexedPNG.hasTransparency(Data()))
  }

  @Test func `a file that ends before its tRNS chunk, or has a chunk that exceeds the file, has no transparency`() throws {
    let data = try EndOfDataTests.fixture("pngsuite/tbbn3p08.png")
    let end = 4 + (try #require(data.indices.first { data[$0...].starts(with: "tRNS".utf8) }))
    #expect(IndexedPNG.hasTransparency(data.prefix(end)))
    #expect(!IndexedPNG.hasTransparency(data.prefix(end - 1)))
    #expect(!IndexedPNG.hasTransparency(data.prefix(33) + [0xFF, 0xFF, 0xFF, 0xFF] + data.dropFirst(33)))
  }

  @Test func `a tRNS chunk after the pixels is ignored`() throws {
    let data = try EndOfDataTests.fixture("pngsuite/basn3p08.png")
    let chunk: [UInt8] = [0, 0, 0, 1] + Array("tRNS".utf8) + [0, 1, 2, 3, 4]
    #expect(IndexedPNG.hasTransparency(data.prefix(33) + chunk + data.dropFirst(33)))
    #expect(!IndexedPNG.hasTransparency(data.dropLast(12) + chunk + data.suffix(12)))
  }

  @Test func `the sample PNG decodes to a pixel of the expected color`() throws {
    let sample = try #require(IndexedPNG.sample)
    #expect(IndexedPNG.hasTransparency(sample) && EndOfData(of: sample) == .complete)
    let decoder = makePlatformDecoder(FutureImage.DecodingLimits())
    let image = try decoder.decode(sample, size: decoder.size(of: sample))
    let pixel = try #require(FutureImage.PixelBuffer(image, scale: 1))[0, 0]
    // CoreGraphics premultiplies the bytes and rounds them.
    #expect(pixel.w == 100 && abs(Int(pixel.x) - 200) <= 2 && pixel.x == pixel.y && pixel.y == pixel.z)
  }
}
