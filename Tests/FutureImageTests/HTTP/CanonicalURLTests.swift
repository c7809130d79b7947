import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("CanonicalURL", .timeLimit(.minutes(5))) struct CanonicalURLTests {
  @Test(
    arguments: [
      ("HTTP://Example.COM:80/%7ea/./b/../c?q#f", "http://example.com/~a/c?q", ""),
      ("https://ann:secret@example.com", "https://example.com/", "ann:secret"),
      ("https://example.com/ä", "https://example.com/%C3%A4", "")
    ])
  func `the examples in the documentation of CanonicalURL are right`(url: String, text: String, credentials: String) {
    let canonical = CanonicalURL(url)
    #expect(canonical.text == text)
    #expect(canonical.credentials == credentials)
  }

  @Test func `skipping the rewriting of a URL that seems canonical does not change the result`() {
    var random = SeededGenerator(seed: 5)
    let pieces = [
      "http", "https", "HTTP", "ftp", "data", "file", ":", "://", "/", "//", ".", "..", "/./", "/../", "a", "B", "example.com", "-", "_",
      "~", "80",
      "443", ":80", ":443", ":8", ":8080", ":54321", ":65536", ":00080", ":", "@", "user", "?", "=", "&", "#",
      "%", "%41", "%2f", "%zz", " ", "ä", "[::1]", "\\", "{", "|", "\"", "\0", "\u{7f}"
    ]
    for _ in 0..<20_000 {
      let begin = ["http://", "https://", ""].randomElement(using: &random) ?? ""
      let string = begin + (0..<Int.random(in: 0...7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      #expect(CanonicalURL(string) == CanonicalURL(rewriting: string), "\(string)")
    }
    #expect(CanonicalURL("https://a.b/c.d/e?f=/.g").text == "https://a.b/c.d/e?f=/.g")
  }

  @Test func `a URL with a valid port is canonical without rewriting`() {
    #expect(["http://a.b:8080/c", "http://127.0.0.1:54321/c", "https://a.b:65535/c"].allSatisfy { CanonicalURL.isPlain($0) })
    #expect(!["http://a.b:65536/c", "http://a.b:0080/c", "http://a.b:/c"].contains { CanonicalURL.isPlain($0) })
  }

  @Test(
    arguments: [
      // RFC 3986, sections 6.2.2 and 6.2.3.
      ["example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d"],
      ["http://www.example.com/", "HTTP://www.EXAMPLE.com/"],
      [
        "http://example.com", "http://example.com/", "http://example.com:/", "http://example.com:80/", "http://example.com#",
        "http://@example.com/"
      ],
      ["https://a.b/", "https://a.b:443", "https://a.b/#top", "https://A.B:/."],
      ["https://a.b/x%20y", "https://a.b/x y"],
      ["https://a.b/%7F", "https://a.b/\u{7F}"],
      ["https://a.b/%E2%82%AC?%E2%82%AC", "https://a.b/%e2%82%ac?%e2%82%ac", "https://a.b/€?€"],
      ["https://a.b/%7B%7C%7D%22%3C%3E%5E%60%5C", "https://a.b/{|}\"<>^`\\"],
      ["https://a.b/~-._09azAZ", "https://a.b/%7E%2D%2E%5F%30%39%61%7a%41%5A"],
      ["https://a.b/100%25", "https://a.b/100%"],
      ["http://[::1]/", "http://[::1]:80/", "HTTP://[::1]"]
    ])
  func `equivalent spellings of a URL have the same canonical text`(spellings: [String]) {
    #expect(Set(spellings.map { CanonicalURL($0).text }).count == 1)
    // The canonical text begins with the scheme of the URL. Only the scheme of the first group begins with “e”.
    #expect(spellings.first.map { CanonicalURL($0).text }?.hasPrefix("e") == spellings.first?.hasPrefix("e"))
  }

  @Test(
    arguments: [
      ["http://a/", "https://a/", "http://a:81/", "http://a.b/", "http://a:443/"],
      ["https://a/x", "https://a/x/", "https://a/X", "https://a/x?", "https://a/x??"],
      ["https://a/x/y", "https://a/x%2Fy", "https://a/x%252Fy", "https://a//x/y"],
      ["https://a/?b&c", "https://a/?c&b", "https://a/?b%26c"],
      ["https://a/+", "https://a/%20", "https://a/%2B"],
      ["http://[::1]/", "http://[::1]:8/", "http://[::8]/"]
    ])
  func `URLs that may name different resources have different canonical texts`(urls: [String]) {
    #expect(Set(urls.map { CanonicalURL($0).text }).count == urls.count)
  }

  @Test(
    arguments: [
      ("/a/b/c/./../../g", "/a/g"), ("/b/c/.", "/b/c/"), ("/b/c/./", "/b/c/"), ("/b/c/..", "/b/"), ("/b/c/../", "/b/"),
      ("/b/c/../g", "/b/g"), ("/b/c/../..", "/"), ("/b/c/../../", "/"), ("/b/c/../../g", "/g"), ("/b/c/../../../g", "/g"),
      ("/b/c/../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("/b/c/g.", "/b/c/g."), ("/b/c/.g", "/b/c/.g"),
      ("/b/c/g..", "/b/c/g.."), ("/b/c/..g", "/b/c/..g"), ("/b/c/./../g", "/b/g"), ("/b/c/./g/.", "/b/c/g/"), ("/b/c/g/./h", "/b/c/g/h"),
      ("/b/c/g/../h", "/b/c/h"), ("/b/c/g;x=1/./y", "/b/c/g;x=1/y"), ("/b/c/g;x=1/../y", "/b/c/y"), ("/g?y/./x", "/g?y/./x"),
      ("/g?y/../x", "/g?y/../x"), ("/..", "/"), ("/.", "/"), ("/a/..", "/"), ("/a//../b", "/a/b"), ("/%2e%2E/%2e/g", "/g"), ("/...", "/...")
    ])
  func `dot segments are resolved as in RFC 3986, sections 5.2.4 and 5.4`(path: String, resolved: String) {
    #expect(CanonicalURL("http://a" + path).text == "http://a" + resolved)
  }

  @Test(
    arguments: [
      ("HTTPS://Example.com/x", "https", "example.com"), ("http://example.com:8080", "http", "example.com:8080"),
      ("http://[2001:DB8::1]:8080/", "http", "[2001:db8::1]:8080"), ("http://[::1]", "http", "[::1]"),
      ("https://example.com:80/", "https", "example.com:80"), ("http://a?b@c/d", "http", "a"), ("http://a#@b/", "http", "a"),
      ("http://b@a", "http", "a"), ("http://b@c@a/", "http", "a"), ("http://a\\@b/", "http", "b"), ("file:///x", "file", ""),
      ("data:image/png,x", "data", ""), ("//a/b", "", "a"), ("a/b", "", ""), ("", "", ""), ("http:", "http", ""), ("http:/a", "http", ""),
      ("svn+ssh://a", "svn+ssh", "a"), ("view-source://a", "view-source", "a"), ("a.b://c", "a.b", "c"), ("//a:8/b", "", "a:8"),
      ("/a:b", "", "")
    ])
  func `the scheme and the host of a URL are parsed`(url: String, scheme: String, host: String) {
    let canonical = CanonicalURL(url)
    #expect(canonical.scheme == scheme)
    #expect(canonical.host == host)
  }

  @Test(
    arguments: ["u:hidden", "hidden", ":hidden", "a@b:hidden", "u:hid%64en", "%68idden:hidden", "ü:hidden", "hidden:", "hidden\\"])
  func `the canonical text of a URL omits the user and the password, whatever characters they contain`(userinfo: String) {
    let canonical = CanonicalURL("https://\(userinfo)@example.com/x?y")
    #expect(canonical.text == "https://example.com/x?y")
    #expect(canonical.host == "example.com")
    #expect(canonical.credentials == userinfo)
  }

  @Test func `escapes in a host become uppercase`() {
    #expect(CanonicalURL("http://%c3%a4.B/").text == "http://%C3%A4.b/")
  }

  @Test func `a data URL retains the text after a number sign, and the case of its content`() {
    #expect(CanonicalURL("DATA:text/plain,Ab#Cd").text == "data:text/plain,Ab#Cd")
  }

  @Test(
    arguments: [
      "", ":", "::", "//", "///", "http://", "http:///", "http://:", "http://@", "http://:@:", "http://:80", "http://%", "http://%4",
      "http://a/%", "http://a/%4", "http://a/%zz", "http://a/%%41", "http://a?", "http://a#", "http://[", "http://]", "http://[::",
      "http://a/\0", "\u{202E}://a", "http://a/" + String(repeating: "../", count: 10_000),
      "http://" + String(repeating: ":", count: 10_000),
      "http://" + String(repeating: "@", count: 10_000), String(repeating: "%", count: 10_000),
      "http://a/" + String(repeating: "/", count: 10_000)
    ])
  func `the canonical text of a hostile string begins with the parsed scheme and has no credentials`(string: String) {
    let text = CanonicalURL(string).text
    #expect(text.hasPrefix(CanonicalURL(string).scheme + ":"))
    #expect(!text.contains("@") || !text.contains("//"))
  }

  @Test func `for any URL that Foundation accepts, the canonical text is canonical itself and has no credentials`() {
    var random = SeededGenerator(seed: 11)
    let pieces = [
      "http", "HTTPS", ":", ":", "/", "/", "//", "://", "@", "?", "#", "%", "%41", "%2f", "%C3", ".", "..", "/../", "/./", "a", "B.c", "80",
      ":80", ":443", "[", "]", "[::1]", " ", "ä", "\\", "\0", "&", "=", "~"
    ]
    var urls = 0
    for _ in 0..<10_000 {
      let count = Int.random(in: 0..<12, using: &random)
      let string =
        (Bool.random(using: &random) ? "http://" : "") + (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
      let canonical = CanonicalURL(string)
      guard let url = URL(string: string) else { continue }
      urls += 1
      let ofURL = CanonicalURL(url)
      let again = CanonicalURL(ofURL.text)
      if again.text != ofURL.text || again.host != ofURL.host { Issue.record("\(string): \(ofURL.text), then \(again.text)") }
      if canonical.scheme != ofURL.scheme { Issue.record("\(string): scheme \(ofURL.scheme)") }
      if !again.credentials.isEmpty { Issue.record("\(string): \(ofURL.text) has credentials") }
    }
    #expect(urls > 1_000)
  }

  // MARK: Secrets

  @Test(
    arguments: ["token", "access_token", "X-Amz-Signature", "sig", "AWSAccessKeyId_auth", "key", "password", "X-Goog-Credential", "apikey"])
  func `only the values of query items whose names suggest a secret become digests`(name: String) {
    let redacted = CanonicalURL("https://a/b?w=3&\(name)=abc&h=4").redacted
    #expect(redacted.hasPrefix("https://a/b?w=3&\(name)=~"))
    #expect(redacted.hasSuffix("&h=4"))
    #expect(!redacted.contains("abc"))
    #expect(redacted != CanonicalURL("https://a/b?w=3&\(name)=abd&h=4").redacted)
  }

  @Test(
    arguments: ["https://a/b", "https://a/b?", "https://a/b?a&b=&c==d", "https://a/b?&a&&b&", "https://a/token?keyboard=1&monkey=2"])
  func `a URL without secrets is not redacted`(url: String) {
    #expect(CanonicalURL(url).redacted == url)
  }
}
