import Foundation
import Testing

@testable import FutureImage

/// The requirements that a request must meet before an HTTP fetcher sends it.
@Suite(.timeLimit(.minutes(5))) struct RequestHTTPTests {
  @Test func `a URL of eight million bytes is allowed, and a longer URL is refused`() throws {
    let place = "http://a.test/"
    let longest = place + String(repeating: "a", count: 8_000_000 - place.utf8.count)
    try FutureImage.Request(url: #require(URL(string: longest))).requireHTTP()
    let request = try FutureImage.Request(url: #require(URL(string: longest + "a")))
    #expect(throws: FutureImage.Failure(.refused("its URL is longer than 8000000 bytes; shorten it"))) { try request.requireHTTP() }
  }
}
