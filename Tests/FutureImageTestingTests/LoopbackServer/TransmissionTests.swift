import Foundation
import Testing

@testable import FutureImageTesting

@Suite(.timeLimit(.minutes(5))) struct TransmissionTests {
  typealias Answer = LoopbackServer.Answer
  typealias Headers = LoopbackServer.Headers
  typealias Transmission = LoopbackServer.Transmission

  static let body = Data("0123456789")

  private func send(_ answer: Answer, method: String = "GET", _ headers: Headers = [:]) -> Transmission {
    Transmission(answer, to: LoopbackServer.Request(method: method, path: "/", headers: headers))
  }

  @Test func `a plain answer declares its length and leaves the connection open`() {
    let sent = send(.ok(Self.body, contentType: "image/png", headers: ["X": "y"]))
    #expect(sent.head.text == "HTTP/1.1 200 OK\r\nX: y\r\nContent-Type: image/png\r\nContent-Length: 10\r\n\r\n")
    #expect(sent.body == Self.body)
    #expect(sent.ending == .keepAlive)
  }

  @Test func `the connection ends if the request or the answer has the field Connection with the value close`() {
    let asked = send(.ok(Self.body), ["Connection": "close"])
    #expect(asked.head.text.contains("Connection: close\r\n"))
    #expect(asked.ending == .close)
    #expect(send(.ok(Self.body, headers: ["connection": "close"])).ending == .close)
  }

  @Test(arguments: [204, 304])
  func `an answer without a body has no Content-Length`(status: Int) {
    let sent = send(.status(status, body: Self.body))
    #expect(!sent.head.text.contains("Content-Length"))
    #expect(sent.body.isEmpty)
    #expect(sent.ending == .keepAlive)
  }

  @Test func `a HEAD request receives the same head as a GET request, and no body`() {
    let answer = Answer.ok(Self.body).eTag("v")
    let sent = send(answer, method: "HEAD", ["Range": "bytes=1-2"])
    #expect(sent.head == send(answer).head)
    #expect(sent.body.isEmpty)
    #expect(sent.ending == .keepAlive)
  }

  @Test func `the head of a redirect has the given status and a Location field`() {
    #expect(send(.redirect(to: "/x", status: 301)).head.text.hasPrefix("HTTP/1.1 301 Moved Permanently\r\nLocation: /x\r\n"))
  }

  @Test func `a truncated answer declares the whole body, sends its first bytes, and closes the connection`() {
    let sent = send(.ok(Self.body).truncated(after: 4))
    #expect(sent.head.text.contains("Content-Length: 10\r\n"))
    #expect(sent.body.text == "0123")
    #expect(sent.ending == .close)
  }

  @Test func `a reset sends the first bytes and then resets the connection`() {
    #expect(send(.ok(Self.body).reset(after: 4)).body.text == "0123")
    #expect(send(.ok(Self.body).reset(after: 40)).ending == .reset)
    #expect(send(.close.reset(after: 0)).ending == .reset)
  }

  @Test func `a raw answer is sent unchanged, a close answer sends nothing, and both end the connection`() {
    let raw = send(.raw(Data("HTTP/9 what\r\n")))
    #expect(raw.head.isEmpty)
    #expect(raw.body.text == "HTTP/9 what\r\n")
    #expect(raw.ending == .close)
    #expect(send(.close).body.isEmpty)
    #expect(send(.close).ending == .close)
  }

  @Test(arguments: ["99999999999999999999", "-1", "4", "many"])
  func `a connection ends after an answer whose declared length differs from the length of its body`(length: String) {
    let sent = send(.ok(Self.body).declaring(contentLength: length))
    #expect(sent.head.text.contains("Content-Length: \(length)\r\n"))
    #expect(sent.body == Self.body)
    #expect(sent.ending == .close)
    #expect(send(.ok(Self.body).declaring(contentLength: 10)).ending == .keepAlive)
    #expect(send(.ok(Self.body, headers: ["content-length": length])).ending == .close)
  }

  @Test func `a chunked answer leaves the connection open unless the answer is cut`() {
    let sent = send(.ok(Self.body).chunked(6))
    #expect(sent.head.text == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    #expect(sent.body.text == "6\r\n012345\r\n4\r\n6789\r\n0\r\n\r\n")
    #expect(sent.ending == .keepAlive)
    #expect(send(.ok(Self.body).chunked(cut: true)).ending == .close)
  }

  @Test func `a body that ends with the connection has no Content-Length`() {
    let sent = send(.ok(Self.body).untilClose())
    #expect(sent.head.text == "HTTP/1.1 200 OK\r\n\r\n")
    #expect(sent.ending == .close)
  }

  @Test(arguments: [
    (RequestFault.malformed, "400 Bad Request"), (.headTooLarge, "431 Request Header Fields Too Large"),
    (.bodyTooLarge, "413 Content Too Large"), (.unknownCoding, "501 Not Implemented")
  ])
  func `an invalid request is answered with the status for its fault, and the connection ends`(fault: RequestFault, line: String) {
    let sent = Transmission(refusing: fault)
    #expect(sent.head.text.hasPrefix("HTTP/1.1 \(line)\r\n"))
    #expect(sent.ending == .close)
  }

  typealias RequestFault = LoopbackServer.RequestParser.Fault
}
