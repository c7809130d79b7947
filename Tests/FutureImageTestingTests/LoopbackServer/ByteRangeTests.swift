import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct ByteRangeTests {
  typealias ByteRange = LoopbackServer.ByteRange

  @Test(arguments: [
    ("bytes=2-5", ByteRange.part(2..<6)),
    ("Bytes= 2 - 5 ", .part(2..<6)),
    ("bytes=0-0", .part(0..<1)),
    ("bytes=2-", .part(2..<10)),
    ("bytes=2-99", .part(2..<10)),
    ("bytes=9-9223372036854775807", .part(9..<10)),
    ("bytes=-3", .part(7..<10)),
    ("bytes=-99", .part(0..<10)),
    ("bytes=10-", .unsatisfiable),
    ("bytes=10-12", .unsatisfiable),
    ("bytes=-0", .unsatisfiable),
    ("bytes=5-2", .whole),
    ("bytes=1-2,4-5", .whole),
    ("bytes=+1-2", .whole),
    ("bytes=-", .whole),
    ("bytes=a-b", .whole),
    ("bytes=1", .whole),
    ("bytes=99999999999999999999-", .whole),
    ("lines=1-2", .whole)
  ])
  func `a Range field for a body of ten bytes selects a part or the whole body, or is unsatisfiable`(field: String, range: ByteRange) {
    #expect(ByteRange(field, of: 10) == range)
  }

  @Test func `a missing Range field selects the whole body, and a range of an empty body is unsatisfiable`() {
    #expect(ByteRange(nil, of: 10) == .whole)
    #expect(ByteRange("bytes=0-", of: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", of: 0) == .unsatisfiable)
  }
}
