import Foundation
import FutureImage
import Testing

@Suite struct DataFetcherTests {
  private let fetcher = FutureImage.DataFetcher()

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test(
    arguments: [
      ("data:image/png;base64,AAECAw==", "image/png", [0, 1, 2, 3]), ("data:image/png;base64,AAECAw", "image/png", [0, 1, 2, 3]),
      ("DATA:image/png;BASE64,AAEC", "image/png", [0, 1, 2]), ("data:;base64,%41AE%3D", "text/plain;charset=US-ASCII", [0, 1]),
      ("data:image/png;base64,AA%20EC%0AAw==", "image/png", [0, 1, 2, 3]),
      ("data:,a%20b%ff", "text/plain;charset=US-ASCII", [97, 32, 98, 255]),
      ("data:;charset=utf-8,x", "text/plain;charset=utf-8", [120]),
      ("data:image/svg+xml;a=b,%3Csvg%2f,%3E", "image/svg+xml;a=b", Array("<svg/,>".utf8)),
      ("data:,a?b#c", "text/plain;charset=US-ASCII", Array("a?b".utf8)), ("data:image/gif;base64,", "image/gif", [])
    ] as [(String, String, [UInt8])])
  func `the content is decoded and its type told`(text: String, type: String, bytes: [UInt8]) async throws {
    let collected = try await fetcher.collect(url(text))
    #expect(Array(collected.body) == bytes)
    #expect(collected.responses.map(\.status) == [200])
    #expect(collected.response?.headers["content-type"] == type)
    #expect(collected.response?.expectedBytes == bytes.count)
    #expect(collected.early == 0)
  }

  @Test(arguments: [
    "data:image/png;base64", "data:;base64,AAECA", "data:;base64,AA-_", "data:;base64,A=AA", "data:;base64,AA=", "data:;base64,AA===",
    "data:;base64,====="
  ])
  func `what cannot be decoded is malformed`(text: String) async throws {
    #expect(try await fetcher.reason(url(text))?.isMalformed == true)
  }

  @Test func `another scheme is refused`() async throws {
    #expect(try await fetcher.reason(url("http://localhost/"))?.isRefused == true)
  }

  @Test func `a megabyte comes whole`() async throws {
    let body = Data.pattern(1 << 20)
    #expect(try await fetcher.collect(url("data:;base64,\(body.base64EncodedString())")).body == body)
  }
}
