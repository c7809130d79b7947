import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct ResponseHeadTests {
  typealias Head = LoopbackServer.ResponseHead

  @Test func `status line and fields go out in order, doubles included`() {
    let head = Head(status: 206, headers: ["B": "1", "a": "x: y", "B": "2"])
    #expect(head.bytes.text == "HTTP/1.1 206 Partial Content\r\nB: 1\r\na: x: y\r\nB: 2\r\n\r\n")
  }

  @Test func `a status without a known reason keeps the space that the line needs`() {
    #expect(Head(status: 299, headers: [:]).bytes.text == "HTTP/1.1 299 \r\n\r\n")
  }

  @Test(arguments: [(100, false), (103, false), (200, true), (204, false), (206, true), (304, false), (404, true)])
  func `some statuses have no body`(status: Int, allows: Bool) {
    #expect(Head(status: status, headers: [:]).allowsBody == allows)
  }
}

@Suite(.timeLimit(.minutes(5))) struct HeadersTests {
  @Test func `names are compared without case and doubles are joined`() {
    let headers: LoopbackServer.Headers = ["Set-Cookie": "a", "set-cookie": "b", "Set-Cookies": "c"]
    #expect(headers["SET-COOKIE"] == "a, b")
    #expect(headers["cookie"] == nil)
  }

  @Test func `setting replaces all of the name and nil removes them`() {
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
