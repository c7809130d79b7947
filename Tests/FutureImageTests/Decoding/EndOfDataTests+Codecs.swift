#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Compares the check with the decoders of Linux, which notice every missing pixel. Both must agree on where an image ends.
extension EndOfDataTests {
  private func decodes(_ data: Data) -> Bool { (try? ImageCodecs.decode(data)) != nil }

  private static func pictures(_ folder: String) throws -> [(path: String, data: Data)] {
    try names(in: folder).map { ($0, try fixture($0)) }.filter { $0.data.count < 1_500 && (try? ImageCodecs.decode($0.data)) != nil }
  }

  @Test(arguments: ["jpeg", "pngsuite", "gif", "webp", "avif"]) func `the check and the decoder agree on every beginning of a file`(
    folder: String
  ) throws {
    for (path, data) in try Self.pictures(folder) {
      var wrong: [Int] = []
      let whole = try ImageCodecs.decode(data)
      for count in 0...data.count {
        let beginning = data.prefix(count)
        let (end, decodes) = (EndOfData(of: beginning), decodes(beginning))
        // The sub-blocks of a GIF end with an empty one. The decoder has all pixels before it.
        let lacksLastByte = folder == "gif" && EndOfData(of: beginning + [0]) == .complete
        // Before the checksums and the last chunks of a PNG, it has them, too.
        let lacksLastChunk = path.hasSuffix("png") && (try? ImageCodecs.decode(beginning).hasSamePixels(as: whole)) == true
        if end == .complete ? !decodes : end == .cutOff && decodes && !lacksLastByte && !lacksLastChunk { wrong.append(count) }
      }
      #expect(wrong.isEmpty, "\(path), of \(data.count) bytes")
    }
  }

  @Test(arguments: ["beginnings/sequential.jpg", "beginnings/progressive.jpg", "exif/Landscape_1.jpg"])
  func `the check and the decoder agree on a photo without its end marker`(path: String) throws {
    let data = try Self.fixture(path)
    var random = SeededGenerator(seed: 3)
    let counts = (0...40).map { data.count - $0 } + (0..<40).map { _ in Int.random(in: 2..<data.count, using: &random) }
    for count in counts {
      let beginning = data.prefix(count)
      #expect((EndOfData(of: beginning) == .complete) == decodes(beginning), "\(count) of \(data.count) bytes")
    }
  }
}
#endif
