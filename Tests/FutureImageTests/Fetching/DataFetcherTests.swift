import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DataFetcherTests {
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
      ("data:,a?b#c", "text/plain;charset=US-ASCII", Array("a?b".utf8)), ("data:image/gif;base64,", "image/gif", []),
      // Fetch Standard, "data: URL processor".
      ("data:image/png;%20base64,AAEC", "image/png", [0, 1, 2]), ("data:%20image/png;a=b;%20%20BASE64%20,AAEC", "image/png;a=b", [0, 1, 2]),
      ("data:image/png%20;base64,AAEC", "image/png", [0, 1, 2]),
      ("data:image/png;base64;a=b,AAEC", "image/png;base64;a=b", Array("AAEC".utf8)),
      ("data:base64,AAEC", "base64", Array("AAEC".utf8)), ("data:;%20base64,AAEC", "text/plain;charset=US-ASCII", [0, 1, 2])
    ] as [(String, String, [UInt8])])
  func `the content of a data URL is decoded, and its type is reported`(text: String, type: String, bytes: [UInt8]) async throws {
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
  func `a data URL whose content cannot be decoded is malformed`(text: String) async throws {
    #expect(try await fetcher.reason(url(text))?.isMalformed == true)
  }

  @Test func `a model's text may contain a data URL with an unescaped blank before the word base64`() async throws {
    let url = try FutureImage.SiblingFields().url(for: "data:image/png; base64,AAEC")
    #expect(try await fetcher.collect(url).body == Data([0, 1, 2]))
  }

  @Test func `a URL with a scheme other than data is refused`() async throws {
    #expect(try await fetcher.reason(url("http://localhost/"))?.isRefused == true)
  }

  @Test func `a megabyte of content arrives whole`() async throws {
    let body = Data.pattern(1 << 20)
    #expect(try await fetcher.collect(url("data:;base64,\(body.base64EncodedString())")).body == body)
  }

  @Test(arguments: [false, true]) func `long content is decoded in slices after its length is reported`(isBase64: Bool) async throws {
    let body = Data(repeating: UInt8(ascii: "a"), count: 1_000_001)
    let url = try url(isBase64 ? "data:image/png;base64,\(body.base64EncodedString())" : "data:," + String(decoding: body, as: UTF8.self))
    // The declared length, as a negative number, and then the size of each slice.
    let pieces = Lock([Int]())
    try await fetcher.fetch(FutureImage.Request(url: url)) { event in
      switch event {
      case .response(let response): pieces.withLock { $0.append(-(response.expectedBytes ?? 0)) }
      case .bytes(let data): pieces.withLock { $0.append(data.count) }
      }
    }
    let sizes = pieces.withLock { $0 }
    #expect(sizes.first == -1_000_001)
    #expect(sizes.dropFirst().reduce(0, +) == 1_000_001)
    #expect(sizes.dropFirst().allSatisfy { 1...262_144 ~= $0 })
  }

  @Test func `content is not decoded if the receiver rejects its length`() async throws {
    struct TooLong: Error {}
    let url = try url("data:;base64,\(Data(count: 1_000_000).base64EncodedString())")
    let bytes = Lock(0)
    await #expect(throws: TooLong.self) {
      try await fetcher.fetch(FutureImage.Request(url: url)) { event in
        switch event {
        case .response(let response): if response.expectedBytes ?? 0 > 1_000 { throw TooLong() }
        case .bytes(let data): bytes.withLock { $0 += data.count }
        }
      }
    }
    #expect(bytes.withLock { $0 } == 0)
  }

  @Test func `a task that is already canceled receives nothing`() async throws {
    let (fetcher, url, events) = (fetcher, try url("data:,a"), Lock(0))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await fetcher.fetch(FutureImage.Request(url: url)) { _ in events.withLock { $0 += 1 } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(events.withLock { $0 } == 0)
  }

  @Test func `cancellation ends a fetch between two slices`() async throws {
    let (fetcher, url, slices) = (fetcher, try url("data:," + String(repeating: "a", count: 1_000_000)), Lock(0))
    let task = Task {
      try await fetcher.fetch(FutureImage.Request(url: url)) { event in
        guard case .bytes = event else { return }
        slices.withLock { $0 += 1 }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(slices.withLock { $0 } == 1)
  }

  @Test func `escapes and base64 groups may cross slice boundaries`() async throws {
    for shift in 0..<4 {
      let body = Data.pattern(500_000)
      let escaped = String(repeating: "%41", count: 300_000)
      let blanks = String(repeating: "%0A", count: shift)
      #expect(try await fetcher.collect(url("data:;base64,\(blanks)\(body.base64EncodedString())")).body == body)
      let text = String(repeating: "b", count: shift)
      #expect(try await fetcher.collect(url("data:,\(text)\(escaped)")).body.count == 300_000 + shift)
    }
  }

  @Test func `a data URL whose header has more than a few thousand bytes is malformed`() async throws {
    #expect(try await fetcher.reason(url("data:\(String(repeating: "a", count: 100_000)),x"))?.isMalformed == true)
  }
}
