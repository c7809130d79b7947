import Foundation
import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct SelectionTests {
  typealias Answer = LoopbackServer.Answer
  typealias Headers = LoopbackServer.Headers

  static let date = Date(timeIntervalSince1970: 784_111_777.5)
  static let dateText = "Sun, 06 Nov 1994 08:49:37 GMT"

  /// Returns the status, the head, and the body that the server sends.
  private func ask(_ answer: Answer, _ headers: Headers, method: String = "GET") -> (status: String, head: String, body: String) {
    let sent = LoopbackServer.Transmission(answer, to: .init(method: method, path: "/", headers: headers))
    return (sent.head.text.split(separator: " ")[1].description, sent.head.text, sent.body.text)
  }

  @Test(arguments: [
    ("\"v1\"", "304"), ("W/\"v1\"", "304"), ("\"v0\", \"v1\"", "304"), ("*", "304"),
    ("\"v0\"", "200"), ("v1", "200")
  ])
  func `the server compares If-None-Match weakly with the entity tag`(condition: String, status: String) {
    #expect(ask(.ok(Data("abc")).eTag("v1"), ["If-None-Match": condition]).status == status)
    #expect(ask(.ok(Data("abc")).eTag("v1", weak: true), ["If-None-Match": condition]).status == status)
  }

  @Test func `a 304 response has the validators and caching fields, but no body or content fields`() {
    let answer = Answer.ok(Data("abc"), contentType: "image/png", headers: ["Cache-Control": "max-age=1"]).eTag("v1").lastModified(
      Self.date)
    let reply = ask(answer, ["If-None-Match": "\"v1\""])
    #expect(
      reply.head == "HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=1\r\nETag: \"v1\"\r\nLast-Modified: \(Self.dateText)\r\n\r\n")
    #expect(reply.body.isEmpty)
  }

  @Test func `the field If-Modified-Since matches only the exact date, and is ignored if If-None-Match is present`() {
    let answer = Answer.ok(Data("abc")).eTag("v1").lastModified(Self.date)
    #expect(ask(answer, ["If-Modified-Since": Self.dateText]).status == "304")
    #expect(ask(answer, ["If-Modified-Since": "Sun, 06 Nov 1994 08:49:36 GMT"]).status == "200")
    #expect(ask(answer, ["If-Modified-Since": Self.dateText, "If-None-Match": "\"v0\""]).status == "200")
    #expect(ask(.ok(Data("abc")), ["If-Modified-Since": Self.dateText]).status == "200")
  }

  @Test func `the conditions of a request apply only if its method is GET or HEAD and the answer has status 200`() {
    let headers: Headers = ["If-None-Match": "\"v1\""]
    #expect(ask(.ok(Data()).eTag("v1"), headers, method: "HEAD").status == "304")
    #expect(ask(.ok(Data()).eTag("v1"), headers, method: "POST").status == "200")
    #expect(ask(.status(503).eTag("v1"), headers).status == "503")
  }

  @Test func `a partial response has a Content-Range field, and a complete response has an Accept-Ranges field`() {
    let answer = Answer.ok(Data("0123456789")).ranges()
    let part = ask(answer, ["Range": "bytes=2-5"])
    #expect(part.head == "HTTP/1.1 206 Partial Content\r\nAccept-Ranges: bytes\r\nContent-Range: bytes 2-5/10\r\nContent-Length: 4\r\n\r\n")
    #expect(part.body == "2345")

    let whole = ask(answer, [:])
    #expect(whole.status == "200")
    #expect(whole.head.contains("Accept-Ranges: bytes\r\n"))
    #expect(whole.body == "0123456789")
  }

  @Test func `the server answers a range outside the body with status 416 and the size of the body`() {
    let reply = ask(.ok(Data("0123456789")).ranges(), ["Range": "bytes=10-"])
    #expect(reply.status == "416")
    #expect(reply.head.contains("Content-Range: bytes */10\r\nContent-Length: 0\r\n"))
    #expect(reply.body.isEmpty)
  }

  @Test func `the server ignores a Range field if the answer lacks ranges() or the method is HEAD`() {
    #expect(ask(.ok(Data("0123456789")), ["Range": "bytes=2-5"]).status == "200")
    #expect(ask(.ok(Data("0123456789")).ranges(), ["Range": "bytes=2-5"], method: "HEAD").status == "200")
  }

  @Test(arguments: [("\"v1\"", "206"), (dateText, "206"), ("\"v0\"", "200"), ("W/\"v1\"", "200"), ("Sun, 06 Nov 1994 08:49:38 GMT", "200")])
  func `a matching If-Range field selects the part, and any other If-Range field selects the whole body`(condition: String, status: String)
  {
    let answer = Answer.ok(Data("0123456789")).eTag("v1").lastModified(Self.date).ranges()
    #expect(ask(answer, ["Range": "bytes=2-5", "If-Range": condition]).status == status)
  }

  @Test func `If-Range never matches a weak entity tag`() {
    let answer = Answer.ok(Data("0123456789")).eTag("v1", weak: true).ranges()
    #expect(ask(answer, ["Range": "bytes=2-5", "If-Range": "W/\"v1\""]).status == "200")
  }

  @Test func `a truncated partial response declares the full length of its part`() {
    let reply = ask(.ok(Data("0123456789")).ranges().truncated(after: 1), ["Range": "bytes=2-5"])
    #expect(reply.head.contains("Content-Length: 4\r\n"))
    #expect(reply.body == "2")
  }
}
