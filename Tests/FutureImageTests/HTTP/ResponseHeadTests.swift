import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct ResponseHeadTests {
  private func read(_ lines: String..., limit: Int = 1000) throws -> [FutureImage.Response] { try read(lines, limit: limit) }

  private func read(_ lines: [String], limit: Int = 1000) throws -> [FutureImage.Response] {
    var head = ResponseHead(limit: limit)
    return try lines.compactMap { line in try Array(line.utf8).withUnsafeBytes { try head.add($0) } }
  }

  @Test func `the names of header fields are lowercased, and blanks around their values are removed`() throws {
    let response = try #require(try read("HTTP/1.1 200 OK\r\n", "ETag:   \"A b\" \t\r\n", "X-Empty:\r\n", "\r\n").first)
    #expect(response.status == 200)
    #expect(response.headers == ["etag": "\"A b\"", "x-empty": ""])
  }

  @Test func `repeated fields are joined in order`() throws {
    let response = try #require(try read("HTTP/1.1 200 OK\r\n", "A: b\r\n", "C:\r\n", "a:c\r\n", "A: d\r\n", " e\r\n", "\r\n").first)
    #expect(response.headers == ["a": "b, c, d e", "c": ""])
  }

  @Test func `non-ASCII characters are retained, and invalid UTF-8 is replaced`() throws {
    var head = ResponseHead(limit: 1000)
    let lines = ["HTTP/1.1 200 OK\r\n", "ÄB: Ü\r\n", "X: a\u{a0}\r\n", "Y: #\r\n", "\r\n"]
    let responses = try lines.compactMap { line in
      try line.utf8.map { $0 == UInt8(ascii: "#") ? 0xFC : $0 }.withUnsafeBytes { try head.add($0) }
    }
    #expect(responses.first?.headers == ["äb": "Ü", "x": "a\u{a0}", "y": "\u{FFFD}"])
  }

  @Test(arguments: [
    ([0xE9], "/%E9.jpg"), ([0xC3, 0xA9], "/\u{e9}.jpg"), ([0xC3, 0xA9, 0xE9], "/%C3%A9%E9.jpg"), ([0x25, 0x32, 0x30], "/%20.jpg"),
    ([0x80], "/%80.jpg")
  ])
  func `non-ASCII bytes of a Location field are escaped if the field is not valid UTF-8`(bytes: [UInt8], location: String) throws {
    var head = ResponseHead(limit: 1000)
    let lines = [Array("HTTP/1.1 302 Found\r\n".utf8), Array("Location: /".utf8) + bytes + Array(".jpg\r\n".utf8), Array("\r\n".utf8)]
    let responses = try lines.compactMap { line in try line.withUnsafeBytes { try head.add($0) } }
    #expect(responses.first?.headers["location"] == location)
  }

  @Test(arguments: ["A b", " : c", "HTTP", "\u{0}"])
  func `a line that is not a header field is ignored`(line: String) throws {
    let response = try #require(try read("HTTP/1.1 200 OK\r\n", line + "\r\n", "\r\n").first)
    #expect(response.headers == [:])
  }

  @Test func `a status line may lack a reason phrase, as in HTTP/2`() throws {
    #expect(try read("HTTP/2 404 \r\n", "\r\n").map(\.status) == [404])
    #expect(try read("HTTP/1.1 404\r\n", "\r\n").map(\.status) == [404])
  }

  @Test func `a status line without a status gives no response`() throws {
    #expect(try read("HTTP/1.1\r\n", "A: b\r\n", "\r\n").isEmpty)
  }

  @Test func `a response head has begun once its first line has been read`() throws {
    var head = ResponseHead(limit: 1000)
    #expect(!head.hasBegun)
    _ = try Array("HTTP/1.1 200 OK\r\n".utf8).withUnsafeBytes { try head.add($0) }
    #expect(head.hasBegun)
  }

  @Test(arguments: ["+200", "-200", "2_00", "99999999999999999999"]) func `a status line whose status is not a number gives no response`(
    status: String
  ) throws {
    #expect(try read("HTTP/1.1 \(status) OK\r\n", "\r\n").isEmpty)
  }

  @Test func `a folded line continues the value of the line before`() throws {
    let response = try #require(try read("HTTP/1.1 200 OK\r\n", "A: b\r\n", "  c\r\n", "\td\r\n", "\r\n").first)
    #expect(response.headers == ["a": "b c d"])
  }

  @Test func `the fields of an interim response are discarded`() throws {
    let responses = try read("HTTP/1.1 100 Continue\r\n", "A: b\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "C: d\r\n", "\r\n")
    #expect(responses.map(\.headers) == [["c": "d"]])
  }

  @Test func `lines after the empty line that ends a head are ignored`() throws {
    #expect(try read("HTTP/1.1 200 OK\r\n", "\r\n", "A: b\r\n", "HTTP/1.1 200 OK\r\n", "\r\n").count == 1)
  }

  @Test func `the length limit of a head counts every byte of every line`() throws {
    #expect(try read("HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n", limit: 25).count == 1)
    #expect(throws: FutureImage.Failure(.tooLongHead(24))) {
      try read("HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n", limit: 24)
    }
  }

  @Test(arguments: [
    ["Content-Length: 5", "Content-Length: 6"], ["Content-Length: 5, 6"], ["content-length: 5", "A: b", "CONTENT-LENGTH: 5, 5,7"],
    ["Content-Length: 5", "Content-Length: many"], ["Content-Encoding: gzip", "Content-Length: 5", "Content-Length: 6"]
  ])
  func `a head with contradictory Content-Length fields is malformed`(fields: [String]) {
    let reason =
      (#expect(throws: FutureImage.Failure.self) {
        try read(["HTTP/1.1 200 OK\r\n"] + fields.map { $0 + "\r\n" } + ["\r\n"])
      })?.reason
    #expect(reason == .malformed("its Content-Length fields contradict each other"))
  }

  @Test(arguments: ["HTTP/1.1 304 Not Modified", "HTTP/1.1 204 No Content", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked"])
  func `contradictory lengths are ignored if they do not determine the end of the body`(beginning: String) throws {
    let lines = (beginning + "\r\nContent-Length: 5\r\nContent-Length: 6").components(separatedBy: "\r\n").map { $0 + "\r\n" }
    #expect(try read(lines + ["\r\n"]).count == 1)
  }

  @Test(
    arguments: [
      (200, ["content-length": "5"], 5), (200, [:], nil), (200, ["content-length": "5, 5"], 5), (200, ["content-length": "5, 6"], nil),
      (200, ["content-length": "-1"], nil), (200, ["content-length": "5", "content-encoding": "gzip"], nil),
      (200, ["content-length": "5", "content-encoding": "Identity"], 5), (206, ["content-length": "5"], 5),
      (200, ["content-length": "5", "transfer-encoding": "chunked"], nil), (304, ["content-length": "5"], 0), (204, [:], 0),
      (200, ["content-length": "99999999999999999999"], nil), (200, ["content-length": " 5"], 5), (200, ["content-length": ""], nil),
      (200, ["content-length": "5,,5,"], 5), (200, ["content-length": "5, 05"], nil), (200, ["content-length": "5 5"], nil),
      (200, ["content-length": "+5"], nil), (200, ["content-length": "-0"], nil), (200, ["content-length": "٥"], nil)
    ] as [(Int, [String: String], Int?)])
  func `the expected length of a body follows from the status and the header fields`(status: Int, headers: [String: String], expected: Int?)
  {
    #expect(FutureImage.Response(status: status, headers: headers).expectedBytes == expected)
  }
}
