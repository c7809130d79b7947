import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct PartialBodyTests {
  typealias Response = FutureImage.Response

  private let data = Data(repeating: 7, count: 100)

  private func first(_ headers: [String: String], status: Int = 200, expected: Int? = 300) -> Response {
    Response(status: status, headers: headers, expectedBytes: expected)
  }

  private func rest(_ range: String, _ headers: [String: String] = [:], status: Int = 206) -> Response {
    Response(status: status, headers: headers.merging(["content-range": range]) { $1 }, expectedBytes: 200)
  }

  @Test func `the rest of a body is requested from its first missing byte, provided that the image is unchanged`() throws {
    let partial = try #require(PartialBody(data, of: first(["etag": "\"a\""])))
    #expect(partial.conditions == ["Range": "bytes=100-", "If-Range": "\"a\""])
  }

  @Test func `a modification date is a validator if it precedes the date of the response`() throws {
    let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
    let later = PartialBody(data, of: first(["last-modified": modified, "date": "Sun, 06 Nov 1994 08:49:38 GMT"]))
    #expect(later?.conditions["If-Range"] == modified)
    #expect(PartialBody(data, of: first(["last-modified": modified, "date": modified])) == nil)
    #expect(PartialBody(data, of: first(["last-modified": modified])) == nil)
  }

  @Test(arguments: [
    [:], ["etag": "W/\"a\""], ["etag": "a"], ["etag": "\"a\"", "content-encoding": "gzip"], ["etag": "\"a\"", "accept-ranges": "none"]
  ])
  func `a body is not continued if it is compressed, has no strong validator, or cannot be sent in ranges`(headers: [String: String]) {
    #expect(PartialBody(data, of: first(headers)) == nil)
  }

  @Test func `an empty body and the body of an error status are not continued`() {
    #expect(PartialBody(Data(), of: first(["etag": "\"a\""])) == nil)
    #expect(PartialBody(data, of: first(["etag": "\"a\""], status: 404)) == nil)
  }

  @Test(arguments: [("bytes 100-299/300", 300), ("bytes 100-299/*", 300), ("BYTES 100-299/300", 300)])
  func `a response with the missing range continues a body`(range: String, total: Int) throws {
    let partial = try #require(PartialBody(data, of: first(["etag": "\"a\""])))
    #expect(partial.total(continuedBy: rest(range, ["etag": "\"a\""])) == total)
  }

  @Test(arguments: [
    "bytes 0-299/300", "bytes 101-299/300", "bytes 99-299/300", "bytes 100-298/300", "bytes 100-399/400", "bytes 100-99/300", "bytes */300",
    "100-299/300", "bytes 100-299", "bytes a-b/c", "bytes -100-299/300", "", "bytes 100-299//300", "bytes 100-299/300/",
    "bytes +100-299/300", "bytes 100-+299/300", "bytes 100-299/+300", "bytes 100-9223372036854775807/9223372036854775807",
    "bytes 100-9223372036854775807/*", "bytes 100-9223372036854775808/9223372036854775809"
  ])
  func `a response with a range other than the missing range does not continue a body`(range: String) throws {
    let partial = try #require(PartialBody(data, of: first(["etag": "\"a\""])))
    #expect(partial.total(continuedBy: rest(range)) == nil)
  }

  @Test(arguments: [["etag": "\"b\""], ["last-modified": "now"], ["content-encoding": "gzip"]])
  func `a body is not continued by the rest of another image, by compressed bytes, or by a response with status 200`(
    headers: [String: String]
  ) throws {
    let partial = try #require(PartialBody(data, of: first(["etag": "\"a\"", "last-modified": "then"])))
    #expect(partial.total(continuedBy: rest("bytes 100-299/300", headers)) == nil)
    #expect(partial.total(continuedBy: rest("bytes 100-299/300", status: 200)) == nil)
  }

  @Test func `the rest of a body may be a single byte`() throws {
    let partial = try #require(PartialBody(data, of: first(["etag": "\"a\""], expected: 101)))
    #expect(partial.total(continuedBy: rest("bytes 100-100/101")) == 101)
  }

  @Test func `if neither response states a total length, the length is unknown`() throws {
    let partial = try #require(PartialBody(data, of: first(["etag": "\"a\""], expected: nil)))
    #expect(partial.total(continuedBy: rest("bytes 100-299/*")) == .some(nil))
  }

  @Test func `the byte count of a partial body includes the header fields of its response`() {
    // The body has 100 bytes, and the names and values of the fields have 10.
    #expect(PartialBody(data, of: first(["etag": "\"a\"", "x": "yz"]))?.byteCount == 110)
  }
}
