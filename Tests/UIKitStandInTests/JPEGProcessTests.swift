import Foundation
import Testing
import UIKitStandIn

@Suite("Unsupported JPEG processes", .timeLimit(.minutes(5)))
struct JPEGProcessTests {
  static let names: [(code: UInt8, name: String)] = [
    (0xC3, "a lossless JPEG (SOF3)"), (0xC5, "a hierarchical JPEG (SOF5)"), (0xC6, "a hierarchical JPEG (SOF6)"),
    (0xC7, "a hierarchical lossless JPEG (SOF7)"), (0xCB, "a lossless JPEG in arithmetic coding (SOF11)"),
    (0xCD, "a hierarchical JPEG in arithmetic coding (SOF13)"), (0xCE, "a hierarchical JPEG in arithmetic coding (SOF14)"),
    (0xCF, "a hierarchical lossless JPEG in arithmetic coding (SOF15)"), (0xDE, "a hierarchical JPEG (DHP)"), (0xF7, "a JPEG-LS (SOF55)")
  ]

  @Test(arguments: names)
  func `the error for an unsupported JPEG process names that process, even if a comment contains another marker`(code: UInt8, name: String)
    throws
  {
    let frame = Data([0xFF, code, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0])
    let scan = Data([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3, 0xFF, 0xD9])
    let comment = Data([0xFF, 0xFE, 0, 4, 0xFF, 0xC0])
    for data in [Data([0xFF, 0xD8]) + frame + scan, Data([0xFF, 0xD8]) + comment + frame + scan] {
      #expect(throws: CodecError.unsupported(name)) { try ImageCodecs.info(of: data) }
      #expect(throws: CodecError.unsupported(name)) { try ImageCodecs.decode(data) }
    }
  }

  @Test func `if a marker after a JPEG's frame header names another process, the error does not name that process`() throws {
    let data = try Fixture.data("jpeg/baseline.jpg")
    let scan = try #require(data.range(of: Data([0xFF, 0xDA])))
    let other = Data([0xFF, 0xF7, 0, 2])
    let error = #expect(throws: CodecError.self) {
      try ImageCodecs.decode(data.prefix(scan.lowerBound) + other + data.dropFirst(scan.lowerBound))
    }
    #expect(error != .unsupported("a JPEG-LS (SOF55)"))
  }
}
