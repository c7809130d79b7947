import Foundation
import Testing

@testable import FutureImage

@Suite("Source", .timeLimit(.minutes(5))) struct SourceTests {
  typealias Source = FutureImage.Source

  private func url(_ string: String) throws -> URL { try #require(URL(string: string)) }

  // MARK: Keys of URLs

  @Test func `equivalent spellings of a URL have the same key`() throws {
    let spellings = ["https://a.b/x%20y", "HTTPS://A.b:443/x%20y", "https://a.b/z/../x%20y#top"]
    #expect(Set(try spellings.map { Source.url(try url($0)).key }) == ["https://a.b/x%20y"])
  }

  @Test func `a source has the key that the app gives, regardless of its URL and its headers`() throws {
    let first = Source.url(try url("https://a/x?signature=1"), key: "print 7")
    let second = Source.url(try url("https://ann:secret@b/y?signature=2"), headers: ["Authorization": "token"], key: "print 7")
    let signed = Source.url(try url("https://a/x"), key: "print 7") { [:] }
    #expect([first.key, second.key, signed.key] == ["print 7", "print 7", "print 7"])
  }

  @Test func `the key of a source depends on headers and credentials, but not on the case of header names`() throws {
    let plain = Source.url(try url("https://a/x")).key
    let token = Source.url(try url("https://a/x"), headers: ["Authorization": "token", "Accept": "image/*"]).key
    let same = Source.url(try url("https://a/x"), headers: ["accept": "image/*", "AUTHORIZATION": "token"]).key
    let other = Source.url(try url("https://a/x"), headers: ["Authorization": "Token", "Accept": "image/*"]).key
    let user = Source.url(try url("https://ann:secret@a/x")).key
    let otherUser = Source.url(try url("https://ann:Secret@a/x")).key
    let both = Source.url(try url("https://ann:secret@a/x"), headers: ["Authorization": "token", "Accept": "image/*"]).key
    #expect(token == same)
    #expect(Set([plain, token, other, user, otherUser, both]).count == 6)
  }

  @Test func `if the headers of sources differ only in where names end and values begin, the sources have different keys`() throws {
    let keys = try [["a": "b:c"], ["a:b": "c"], ["a": "b", "c": ""], ["ab": "c"], ["a": "bc"], ["a": ""], ["": "a"]].map {
      Source.url(try url("https://a/x"), headers: $0).key
    }
    #expect(Set(keys).count == 7)
  }

  @Test func `different sets of headers have different keys, even if a value contains a line break`() throws {
    let one = Source.url(try url("https://a/x"), headers: ["a": "1\nb:2"])
    let two = Source.url(try url("https://a/x"), headers: ["a": "1", "b": "2"])
    #expect(one.key != two.key)
  }

  // A lane is the name of the host whose limit applies to a transfer.
  @Test func `neither the key nor the lane contains secrets`() throws {
    for address in ["https://ann:s3cr3t@a/x", "https://s3cr3t@a:8080", "https://:s3cr3t@a/x?y", "https://ann:%733cr3t@a"] {
      let source = Source.url(try url(address), headers: ["Authorization": "Bearer t0k3n", "X-t0k3n": "1"])
      for text in [source.key, source.lane ?? ""] {
        for secret in ["s3cr3t", "%733cr3t", "ann", "t0k3n", "Bearer", "uthorization", "@"] { #expect(!text.contains(secret)) }
      }
    }
  }

  @Test func `if a URL has credentials, its key is the URL without them and then a digest of 32 hexadecimal digits`() throws {
    let source = Source.url(try url("https://ann:secret@a/x"))
    let parts = source.key.split(separator: " ")
    #expect(parts.first == "https://a/x")
    // printf 'ann:secret' | sha256sum
    #expect(parts.last == "9710cea6c7e1189ad2a3ce459c28a7fc")
    #expect(parts.count == 2)
  }

  @Test func `the key of a data URL is short, and different for different images`() throws {
    let long = String(repeating: "A", count: 4_000)
    let first = Source.url(try url("data:image/png;base64,\(long)AAAA")).key
    let second = Source.url(try url("data:image/png;base64,\(long)AAAB")).key
    #expect(first.hasPrefix("data:"))
    // “data:” is followed by a digest of 64 hexadecimal digits.
    #expect(first.utf8.count == 5 + 64)
    #expect(first != second)
  }

  /// If each source read its whole URL, this test would take minutes.
  @Test(.timeLimit(.minutes(5))) func `creating a source of a long data URL does not read the URL, and each such source has its own key`()
    throws
  {
    let url = try url("data:image/png;base64,\(String(repeating: "A", count: 32 << 20))")
    var keys: Set<String> = []
    for _ in 0..<1_000 {
      let source = Source.url(url)
      #expect(source.lane == "" && !source.isPlainRequest)
      keys.insert(source.key)
    }
    #expect(keys.count == 1_000 && keys.allSatisfy { $0.utf8.count < 100 })
    #expect(Source.url(url, key: "mine").key == "mine")
  }

  @Test func `a data URL of up to 256 KiB is identified by its content`() throws {
    let text = "data:image/png;base64,\(String(repeating: "A", count: 200_000))"
    #expect(try Source.url(url(text)).key == Source.url(url(text)).key)
    #expect(try Source.url(url(text)).key != Source.url(url(text + "B")).key)
  }

  @Test(arguments: [(262_144, 1), (262_145, 2)])
  func `a data URL of more than 256 KiB has a new key for each source`(length: Int, keys: Int) throws {
    let url = try url("data:," + String(repeating: "a", count: length - 6))
    #expect(Set([Source.url(url).key, Source.url(url).key]).count == keys)
  }

  // MARK: Other sources

  @Test func `the key of a file is its URL, or the key given by the app`() {
    let plain = URL(fileURLWithPath: "/photos/a b/cover.jpg")
    let dotted = URL(string: "file:///photos/./x/../a%20b/cover.jpg") ?? plain
    #expect(Source.file(plain).key == "file file:///photos/a%20b/cover.jpg")
    #expect(Source.file(dotted).key == Source.file(plain).key)
    #expect(Source.file(plain, key: "cover").key == "cover")
  }

  @Test func `a file URL in a feed does not have the key of a file source for the same file`() {
    let place = URL(fileURLWithPath: "/photos/cover.jpg")
    #expect(Source.file(place).key != Source.url(place).key)
  }

  @Test func `a data source has its given key and no URL`() {
    let source = Source.data(key: "qr-7") { Data() }
    #expect(source.key == "qr-7")
    #expect(source.url == nil)
  }

  @Test func `the lane of a URL is its host with the port; files and closures have no lane`() throws {
    #expect(Source.url(try url("https://A.b:443/x")).lane == "a.b")
    #expect(Source.url(try url("http://ann:secret@a.b:8080/x")).lane == "a.b:8080")
    #expect(Source.url(try url("https://a.b/x"), key: "k") { [:] }.lane == "a.b")
    #expect(Source.file(URL(fileURLWithPath: "/photos/x")).lane == nil)
    #expect(Source.data(key: "k") { Data() }.lane == nil)
  }

  @Test func `the URL of a source has its canonical spelling`() throws {
    let place = try url("https://A.b/x/../y#z")
    let canonical = try url("https://a.b/y")
    #expect(Source.url(place).url == canonical)
    #expect(Source.url(place, key: "k") { [:] }.url == canonical)
    #expect(Source.file(URL(fileURLWithPath: "/photos/x")).url == URL(fileURLWithPath: "/photos/x"))
  }

  @Test func `the URL of a source has no credentials`() throws {
    let place = try url("https://ann:secret@a/x")
    #expect(Source.url(place).url?.absoluteString == "https://a/x")
    #expect(Source.url(place, key: "k") { [:] }.url?.absoluteString == "https://a/x")
  }

  @Test func `only a web URL with fixed headers and without an alternative source is a plain request`() throws {
    let place = try url("https://a/x")
    #expect(Source.url(place).isPlainRequest)
    #expect(Source.url(place, headers: ["a": "b"], key: "k").isPlainRequest)
    let others: [Source] = [
      Source.url(place).onAvoidedNetworks(use: .url(place)), .url(place, key: "k") { [:] }, .file(URL(fileURLWithPath: "/photos/x")),
      .data(key: "k") { Data() }, .sized(key: "k") { _ in .bytes(Data()) }, .url(try url("DATA:,x"))
    ]
    #expect(others.allSatisfy { !$0.isPlainRequest })
  }
}
