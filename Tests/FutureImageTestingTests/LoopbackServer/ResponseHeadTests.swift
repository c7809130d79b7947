import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct ResponseHeadTests {
  typealias Head = LoopbackServer.ResponseHead

  @Test func `a head has its status line and all fields in order, including duplicates`() {
    let head = Head(status: 206, headers: ["B": "1", "a": "x: y", "B": "2"])
    #expect(head.bytes.text == "HTTP/1.1 206 Partial Content\r\nB: 1\r\na: x: y\r\nB: 2\r\n\r\n")
  }

  @Test func `the status line of a status without a known reason ends with the required space`() {
    #expect(Head(status: 299, headers: [:]).bytes.text == "HTTP/1.1 299 \r\n\r\n")
  }

  @Test(arguments: [(100, false), (103, false), (200, true), (204, false), (206, true), (304, false), (404, true)])
  func `statuses 1xx, 204, and 304 allow no body`(status: Int, allowsBody: Bool) {
    #expect(Head(status: status, headers: [:]).allowsBody == allowsBody)
  }
}

@Suite(.timeLimit(.minutes(5))) struct HeadersTests {
  @Test func `header names are case-insensitive, and duplicate fields are joined`() {
    let headers: LoopbackServer.Headers = ["Set-Cookie": "a", "set-cookie": "b", "Set-Cookies": "c"]
    #expect(headers["SET-COOKIE"] == "a, b")
    #expect(headers["cookie"] == nil)
  }

  @Test func `setting a header replaces all fields of that name, setting nil removes them, and setDefault adds a missing field`() {
    var headers: LoopbackServer.Headers = ["A": "1", "a": "2", "B": "3"]
    headers["a"] = "4"
    #expect(headers == ["B": "3", "a": "4"])
    headers["A"] = nil
    #expect(headers == ["B": "3"])
    headers.setDefault("b", "5")
    headers.setDefault("C", "6")
    #expect(headers == ["B": "3", "C": "6"])
  }
}
