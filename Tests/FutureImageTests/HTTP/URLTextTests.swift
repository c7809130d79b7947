import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Cases from urltestdata.json of web-platform-tests (https://github.com/web-platform-tests/wpt, folder `url`), which tests the URL
/// Standard. The cases cover the parts of URLs that feeds and `Location` fields write differently than the standard requires.
@Suite("Texts of URLs", .timeLimit(.minutes(5))) struct URLTextTests {
  private static let base = "http://example.org/foo/bar"

  private func read(_ text: String, base: String? = URLTextTests.base) throws -> String {
    try FutureImage.SiblingFields(baseURL: base.flatMap { URL(string: $0) }).url(for: text).absoluteString
  }

  @Test(arguments: [
    ("http://f:21/ b ? d # e ", "http://f:21/%20b%20?%20d%20#%20e"), ("http://example.com/foo%", "http://example.com/foo%25"),
    ("http://example.com/foo%2", "http://example.com/foo%252"), ("http://example.com/foo%2zbar", "http://example.com/foo%252zbar"),
    ("http://example.com/foo%2©zbar", "http://example.com/foo%252%C2%A9zbar"),
    ("http://example.com/foo%41%7a", "http://example.com/foo%41%7a"),
    ("http://example.com/foo\t\u{91}%91", "http://example.com/foo%C2%91%91"),
    ("http://example.com/foo%00%51", "http://example.com/foo%00%51"),
    ("http://example.com/(%28:%3A%29)", "http://example.com/(%28:%3A%29)"),
    ("http://example.com/%3A%3a%3C%3c", "http://example.com/%3A%3a%3C%3c"),
    ("http://example.com/%7Ffp3%3Eju%3Dduvgw%3Dd", "http://example.com/%7Ffp3%3Eju%3Dduvgw%3Dd"),
    ("http://example.com/@asdf%40", "http://example.com/@asdf%40"),
    ("http://example.com/你好你好", "http://example.com/%E4%BD%A0%E5%A5%BD%E4%BD%A0%E5%A5%BD"),
    ("http://example.com/‥/foo", "http://example.com/%E2%80%A5/foo"),
    ("http://example.com/\u{FEFF}/foo", "http://example.com/%EF%BB%BF/foo"),
    ("https://x/\u{FFFD}?\u{FFFD}#\u{FFFD}", "https://x/%EF%BF%BD?%EF%BF%BD#%EF%BF%BD"),
    ("中/test.txt", "http://example.org/foo/%E4%B8%AD/test.txt"),
    ("http://host/?'", "http://host/?%27"), ("https://a/%20b c", "https://a/%20b%20c"),
    ("https://a/ä%20b?ö=%C3%B6 x", "https://a/%C3%A4%20b?%C3%B6=%C3%B6%20x")
  ])
  func `existing escapes are not changed, and characters that need an escape are escaped`(text: String, url: String) throws {
    #expect(try read(text) == url)
  }

  @Test(arguments: [
    ("http://example\t.\norg", "http://example.org/"), ("http://f:\n/c", "http://f/c"),
    ("http://example.com/foo\tbar", "http://example.com/foobar"),
    ("\t   :foo.com   \n", "http://example.org/foo/:foo.com"), (" foo.com  ", "http://example.org/foo/foo.com"),
    ("\u{0}\u{1b}\u{4}\u{12} http://example.com/\u{1f} \r ", "http://example.com/"), ("h\nt\nt\rp:\t//a/\r\nb.jpg", "http://a/b.jpg")
  ])
  func `blanks around a text are removed, and tabs and line breaks are removed everywhere`(text: String, url: String) throws {
    #expect(try read(text) == url)
  }

  @Test(
    arguments: [
      ("\\x", "http://example.org/x"), ("\\\\x\\hello", "http://x/hello"), (":foo.com\\", "http://example.org/foo/:foo.com/"),
      ("http://foo.com/\\@", "http://foo.com//@"), ("http:\\\\x:b@\\c", nil),
      ("http://example.com\\\\foo\\\\bar", "http://example.com//foo//bar"),
      ("http:\\\\a\\b.jpg?c\\d", "http://a/b.jpg?c%5Cd"), ("http://a\\@b/", "http://a/@b/"), ("sc:\\../", "sc:%5C../")
    ] as [(String, String?)])
  func `a backslash before the query of a web URL counts as a slash`(text: String, url: String?) throws {
    guard let url else {
      #expect(throws: FutureImage.Failure.self) { try read(text) }
      return
    }
    #expect(try read(text) == url)
  }

  @Test(arguments: [
    ("http:foo.com", "http://example.org/foo/foo.com"), ("http:/b", "http://example.org/b"),
    ("https:example.com/", "https://example.com/"),
    ("https:/example.com/", "https://example.com/"), ("http:///b", "http://b/"), ("///b", "http://b/"), ("//b", "http://b/"),
    (".", "http://example.org/foo/"), ("..", "http://example.org/"), ("../../test.txt", "http://example.org/test.txt"),
    ("?", "http://example.org/foo/bar?"), ("#x", "http://example.org/foo/bar#x"), ("/", "http://example.org/"),
    ("::23", "http://example.org/foo/::23"),
    ("http://example.com/././foo", "http://example.com/foo"), ("http://example.com/foo/bar/..", "http://example.com/foo/"),
    ("http://example.com/foo/%2e", "http://example.com/foo/"), ("http://example.com/foo/%2e%2", "http://example.com/foo/%2e%252"),
    ("http://example.com/foo/%2e./%2e%2e/.%2e/%2e.bar", "http://example.com/%2e.bar"),
    ("http://example.com////../..", "http://example.com//"),
    ("http://example.com/foo/bar//../..", "http://example.com/foo/"), ("http://ExAmPlE.CoM", "http://example.com/"),
    ("http://f:0/c", "http://f:0/c"),
    ("http://f:00000000000000000000080/c", "http://f/c"), ("http://%65xample.com/", "http://example.com/")
  ])
  func `relative URLs, dot segments, hosts, and ports are read as in browsers`(text: String, url: String) throws {
    #expect(try read(text) == url)
  }

  @Test(arguments: [
    ("https://test:@test", "https://test@test/"), ("https://:@test", "https://test/"), ("http://a:b@c:29/d", "http://a:b@c:29/d"),
    ("http://&a:foo(b]c@d:2/", "http://&a:foo(b%5Dc@d:2/"), ("http://::@c@d:2", "http://:%3A%40c@d:2/"),
    ("http://@pple.com", "http://pple.com/"),
    ("http://foo:💩@example.com/bar", "http://foo:%F0%9F%92%A9@example.com/bar"),
    ("https://@test@test@example:800/", "https://%40test%40test@example:800/"),
    ("https://@@@example", "https://%40%40@example/"), ("http://`{}:`{}@h/`{}", "http://%60%7B%7D:%60%7B%7D@h/%60%7B%7D")
  ])
  func `characters that are not allowed in a user or password are escaped`(text: String, url: String) throws {
    #expect(try read(text) == url)
  }

  @Test(arguments: [
    "http://f:b/c", "http://f: /c", "http://f:fifty-two/c", "http://f:999999/c", "http://f: 21 / b ? d # e ",
    "http://example example.com",
    "http://Goo%20 goo%7C|.com", "http://%zz%66%a.com", "http://%25", "http://hello%00", "https://x x:12", "http://[www.google.com]/",
    "http://user@/www.example.com", "http://@/www.example.com", "http://a:b@/www.example.com", "http://@:www.example.com", "https://",
    "http://?x",
    "https://#", "https://:80"
  ])
  func `a web URL without a proper host or port is not valid`(text: String) throws {
    let failure = #expect(throws: FutureImage.Failure.self) { try read(text) }
    #expect(failure?.reason == .refused("it is not a URL; correct the feed, or make the URL in the recipe"))
  }

  @Test(arguments: [
    ("http://你好你好", "http://xn--6qqa088eba/"), ("https://faß.ExAmPlE/", "https://xn--fa-hia.example/"),
    ("http://Ｇｏ.com", "http://go.com/"),
    ("http://www.foo。bar.com", "http://www.foo.bar.com/")
  ])
  func `a host with non-ASCII characters is encoded with IDNA`(text: String, url: String) throws {
    #expect(try read(text) == url)
  }

  @Test(arguments: [
    ("data:text/plain,a b%20c#d", "data:text/plain,a%20b%20c#d"),
    ("data:image/png;base64,AA\nEC\tAw==", "data:image/png;base64,AAECAw=="),
    ("data:image/png; base64,AAEC", "data:image/png;%20base64,AAEC"), ("lolscheme:x x#x x", "lolscheme:x%20x#x%20x"),
    ("sc://host/a b%20?c d", "sc://host/a%20b%20?c%20d"), ("a:\t foo.com", "a:%20foo.com")
  ])
  func `URLs with schemes other than http and https are also escaped, but only once`(text: String, url: String) throws {
    #expect(try read(text, base: nil) == url)
  }

  @Test(arguments: [
    ("i", "sc:/pa/pa", "sc:/pa/i"), ("i", "sc://ho/pa", "sc://ho/i"), ("../i", "sc://ho/pa/pa", "sc://ho/i"),
    ("?i", "sc:/pa/pa", "sc:/pa/pa?i"),
    ("/some/path", "http://user:pass@example.org:21/smth", "http://user:pass@example.org:21/some/path")
  ])
  func `a base URL may have credentials or a scheme other than http`(text: String, base: String, url: String) throws {
    #expect(try read(text, base: base) == url)
  }

  @Test(arguments: ["i", "/i", "../i", "?i"]) func `a relative URL is refused if its base has no folders`(text: String) {
    #expect(throws: FutureImage.Failure.self) { try read(text, base: "data:,x") }
  }

  @Test func `after a URL is read from a text, reading the URL's own text gives the same URL`() throws {
    var random = SeededGenerator(seed: 7)
    let pieces = [
      "http", "HTTPS", ":", "/", "//", "\\", "@", "?", "#", "%", "%41", "%2f", ".", "..", "%2e", "a", "B.c", "80", ":80", ":443", "[",
      "]", "[::1]", " ", "ä",
      "\n", "\0", "&", "'", "|", "{", "~"
    ]
    var urls = 0
    for _ in 0..<10_000 {
      let count = Int.random(in: 0..<12, using: &random)
      let beginning = Bool.random(using: &random) ? "http://" : ""
      let text = beginning + (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
      guard let url = try? read(text) else { continue }
      urls += 1
      let again = try? read(url)
      if again != url { Issue.record("\(text): \(url), then \(again ?? "none")") }
    }
    #expect(urls > 1_000)
  }
}
