#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The check and the decoders of Linux, which see every missing pixel, must not disagree about where a picture ends.
extension EndOfDataTests {
  private func decodes(_ data: Data) -> Bool { (try? ImageCodecs.decode(data)) != nil }

  private static func pictures(_ folder: String) throws -> [(path: String, data: Data)] {
    try names(in: folder).map { ($0, try fixture($0)) }.filter { $0.data.count < 1_500 && (try? ImageCodecs.decode($0.data)) != nil }
  }

  @Test(arguments: ["jpeg", "pngsuite", "gif", "webp", "avif"]) func `of every beginning of a file the decoder says the same`(
    folder: String
  ) throws {
    for (path, data) in try Self.pictures(folder) {
      var wrong: [Int] = []
      for count in 0...data.count {
        let beginning = data.prefix(count)
        let (end, decodes) = (EndOfData(of: beginning), decodes(beginning))
        // A GIF's sub-blocks end with an empty one, and its decoder has all pixels before that.
        let lacksLastByte = folder == "gif" && EndOfData(of: beginning + [0]) == .complete
        if end == .complete ? !decodes : end == .cutOff && decodes && !lacksLastByte { wrong.append(count) }
      }
      #expect(wrong.isEmpty, "\(path), of \(data.count) bytes")
    }
  }

  @Test(arguments: ["beginnings/sequential.jpg", "beginnings/progressive.jpg", "exif/Landscape_1.jpg"])
  func `of a photo without its end marker the decoder says the same`(path: String) throws {
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
