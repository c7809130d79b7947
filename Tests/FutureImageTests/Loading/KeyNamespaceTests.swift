import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Keys that an app or its feed chooses, and keys that are derived from URLs.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct KeyNamespaceTests {
  typealias Source = FutureImage.Source

  private let fixture = LoaderFixture(disk: .temporary())
  private let url = LoaderFixture.url()

  /// A source whose key is spelled like the key of the URL.
  private var disguised: Source { .data(key: Source.url(url).key) { TestColor.blue.jpeg() } }

  @Test func `a key that is spelled like a URL does not get that URL's image`() async throws {
    let first = fixture.future()
    await fixture.serve("a", TestColor.red.jpeg())
    #expect(TestColor.red.isNearly(try await first.value.color))
    let second = FutureImage(disguised, loader: fixture.loader)
    #expect(TestColor.blue.isNearly(try await second.value.color))
    #expect(TestColor.red.isNearly(try await fixture.future().value.color))
  }

  @Test func `a URL does not get the image of an app's key that is spelled like the URL, in memory or on disk`() async throws {
    let disk = FutureImage.DiskCache.temporary()
    let first = LoaderFixture(disk: disk)
    let other = FutureImage(disguised, loader: first.loader)
    _ = try await other.value
    await first.loader.waitForIdle()
    let later = LoaderFixture(disk: disk)
    let futures = [first.future(), later.future()]
    for (fixture, future) in zip([first, later], futures) {
      await fixture.serve("a", TestColor.red.jpeg())
      #expect(TestColor.red.isNearly(try await future.value.color))
    }
    #expect(TestColor.blue.isNearly(try await other.value.color))
    #expect(TestColor.blue.isNearly(try await FutureImage(disguised, loader: LoaderFixture(disk: disk).loader).value.color))
  }

  @Test func `a permanent failure of a URL does not affect an app's key that is spelled like the URL`() async throws {
    let refused = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect(refused.failure?.reason == .status(404))
    _ = try await FutureImage(disguised, loader: fixture.loader).value
    let odd = try #require(URL(string: "card:7"))
    #expect(await (try? FutureImage(.url(odd), loader: fixture.loader).value) == nil)
    _ = try await FutureImage(.data(key: "card:7") { TestColor.blue.jpeg() }, loader: fixture.loader).value
  }

  @Test func `keys of an app never collide with the keys of URLs or files, nor with other keys of the app`() throws {
    let file = URL(fileURLWithPath: "/photos/cover.jpg")
    let urls = try ["https://a/x", "http://a/x", "data:,x", "ftp://a/x", "card:7", "relative", "file:///photos/cover.jpg"].map {
      try #require(URL(string: $0))
    }
    let derived = urls.map { Source.url($0).key } + urls.map { Source.file($0).key } + [Source.file(file).key]
    var spellings = derived + urls.map(\.absoluteString) + ["draft", "key draft", "file 7", "url 7", "key", "", " ", "https", "card:8"]
    for _ in 0..<3 { spellings += spellings.map { "key " + $0 } }
    let distinct = Set(spellings)
    let given = distinct.flatMap { key in
      [
        Source.data(key: key) { Data() }, .url(url, key: key), .url(url, key: key) { [:] }, .file(file, key: key),
        .image(UIImage(), key: key)
      ].map(\.key)
    }
    #expect(Set(given).count == distinct.count)
    #expect(Set(given).isDisjoint(with: derived))
  }

  @Test(arguments: ["draft", "print 7", "card:7", "urn:isbn:0451450523", "key 7", "file 7", "url 7", "data", "httpsomething", "ä"])
  func `an app's key that no URL and no file can have is used unchanged`(_ key: String) {
    #expect(Source.data(key: key) { Data() }.key == key)
  }

  @Test func `a key with a million reserved prefixes does not crash the program`() {
    let name = String(repeating: "key ", count: 1_000_000)
    #expect(Source.key(named: name) == name)
    #expect(Source.key(named: name + "https://shop.test/a.jpg") == "key " + name + "https://shop.test/a.jpg")
  }

  @Test func `an image that is set under a source's key belongs to that source, and not to a URL with the same spelling`() async throws {
    let blue = SampleImage.image(64, 48, red: 0, green: 0, blue: 250)
    let source = Source.url(LoaderFixture.url("other"), key: "https://shop.test/a.jpg")
    try await fixture.loader.set(blue, forKey: source.key)
    #expect(try await FutureImage(source, loader: fixture.loader).value.color == blue.color)
    let future = fixture.future()
    await fixture.serve("a", TestColor.red.jpeg())
    #expect(TestColor.red.isNearly(try await future.value.color))
  }
}
