import Foundation
import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct ChunkedCodingTests {
  /// The last of the sizes repeats. Without sizes, the body is one chunk. A size of 0 counts as 1. A cut body ends halfway through its last
  /// chunk.
  @Test(arguments: [
    ([3, 2], false, "3\r\nabc\r\n2\r\nde\r\n2\r\nfg\r\n1\r\nh\r\n0\r\n\r\n"),
    ([], false, "8\r\nabcdefgh\r\n0\r\n\r\n"),
    ([20], false, "8\r\nabcdefgh\r\n0\r\n\r\n"),
    ([0, 7], false, "1\r\na\r\n7\r\nbcdefgh\r\n0\r\n\r\n"),
    ([4], true, "4\r\nabcd\r\n4\r\nef"),
    ([], true, "8\r\nabcd")
  ])
  func `a body is divided into chunks of the given sizes, and may be cut in its last chunk`(sizes: [Int], isCut: Bool, expected: String) {
    #expect(LoopbackServer.ChunkedCoding.encode(Data("abcdefgh"), sizes: sizes, isCut: isCut).text == expected)
  }

  @Test func `chunk sizes are hexadecimal`() {
    #expect(LoopbackServer.ChunkedCoding.encode(.pattern(26), sizes: [], isCut: false).starts(with: Data("1a\r\n")))
  }

  @Test func `the chunked coding of an empty body is only the final chunk of size 0, and has no bytes if it is cut`() {
    #expect(LoopbackServer.ChunkedCoding.encode(Data(), sizes: [4], isCut: false).text == "0\r\n\r\n")
    #expect(LoopbackServer.ChunkedCoding.encode(Data(), sizes: [4], isCut: true).isEmpty)
  }
}
