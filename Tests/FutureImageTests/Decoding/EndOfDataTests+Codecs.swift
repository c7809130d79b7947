#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Compares `EndOfData` with the decoders of Linux, which notice every missing pixel. Both must agree on where an image ends.
extension EndOfDataTests {
  private func decodes(_ data: Data) -> Bool { (try? ImageCodecs.decode(data)) != nil }

  private static func pictures(_ folder: String) throws -> [(path: String, data: Data)] {
    try names(in: folder).map { ($0, try fixture($0)) }.filter { $0.data.count < 1_500 && (try? ImageCodecs.decode($0.data)) != nil }
  }

  @Test(arguments: ["jpeg", "pngsuite", "gif", "webp", "avif", "heic"])
  func `the check of an image's end agrees with the decoder for every prefix of a file`(
    folder: String
  ) throws {
    for (path, data) in try Self.pictures(folder) {
      var wrongLengths: [Int] = []
      let whole = try ImageCodecs.decode(data)
      for count in 0...data.count {
        let beginning = data.prefix(count)
        let (end, decodes) = (EndOfData(of: beginning), decodes(beginning))
        // The sub-blocks of a GIF end with an empty sub-block. The decoder does not need it, because it has all pixels already.
        let lacksLastByte = folder == "gif" && EndOfData(of: beginning + [0]) == .complete
        // The decoder does not need the last checksum and the last chunks of a PNG, either.
        let lacksLastChunk = path.hasSuffix("png") && (try? ImageCodecs.decode(beginning).hasSamePixels(as: whole)) == true
        let isWrong =
          switch end {
          case .complete: !decodes
          case .cutOff: decodes && !lacksLastByte && !lacksLastChunk
          case .unknown: false
          }
        if isWrong { wrongLengths.append(count) }
      }
      #expect(wrongLengths.isEmpty, "\(path), of \(data.count) bytes")
    }
  }

  @Test(
    arguments: ["baseline", "full-chroma", "gray", "rgb", "restarts", "cmyk-adobe", "separate-scans", "progressive", "gray-progressive"])
  func `the decoder decides whether a JPEG without its end marker has all its pixels`(name: String) throws {
    let data = try Self.fixture("jpeg/\(name).jpg")
    let decoder = FutureImage.StandardDecoder()
    let size = try decoder.size(of: data)
    let whole = try decoder.decode(data, size: size)
    // In place of the end marker, the data has nothing, an end marker with a damaged byte, or the beginning of a video.
    for rest in [Data(), Data([0x9F, 0xD9]), Data([0, 0, 0, 24]) + Data("ftypmp42".utf8)] {
      let unmarked = data.dropLast(2) + rest
      #expect(EndOfData(of: unmarked) == .unknown)
      #expect(try decoder.decode(unmarked, size: size).hasSamePixels(as: whole))
    }
    for count in [3, 4, 5, 8, 20, 60, data.count / 4] {
      #expect(EndOfData(of: data.dropLast(count)) == .unknown)
      #expect(throws: FutureImage.Failure(.undecodable("it ends early"))) { try decoder.decode(data.dropLast(count), size: size) }
    }
  }
}
#endif
