import Foundation
import Testing

@testable import FutureImage

@Suite("Redirect", .timeLimit(.minutes(5))) struct RedirectTests {
  typealias Failure = FutureImage.Failure

  /// Returns the step of a redirect from the URL to the location.
  /// - Parameter count: the number of redirects that have been followed before.
  private func hop(_ url: String, _ location: String?, count: Int = 0) throws -> Redirect.Hop {
    try Redirect.hop(from: try #require(URL(string: url)), to: location, count: count)
  }

  /// Returns the reason why the redirect is not followed. Records an issue if it is followed.
  private func reason(_ url: String, _ location: String?, count: Int = 0) -> Failure.Reason? {
    do {
      let hop = try hop(url, location, count: count)
      Issue.record("the redirect to \(hop.url) was followed")
      return nil
    } catch {
      return (error as? Failure)?.reason
    }
  }

  @Test(
    arguments: [
      ("http://a/b/c?q", "http://b/x", "http://b/x"), ("http://a/b/c?q", "/x", "http://a/x"), ("http://a/b/c?q", "x", "http://a/b/x"),
      ("http://a/b/c?q", "../x", "http://a/x"), ("http://a/b/c?q", "?r", "http://a/b/c?r"), ("https://a/b", "//b/x", "https://b/x"),
      ("http://a:8080/b", "/x", "http://a:8080/x"), ("http://a/b", "HTTPS://B/x", "https://b/x"), ("http://a/b", "http:///c", "http://c/"),
      ("http://a/b/c", "http:x", "http://a/b/x"), ("http://a/b/c", "..\\x", "http://a/x"), ("http://a/b", "\\\\b\\x", "http://b/x")
    ])
  func `a location is resolved against the URL of its request`(url: String, location: String, target: String) throws {
    #expect(CanonicalURL(try hop(url, location).url).text == target)
  }

  @Test(
    arguments: [
      ("http://a/b", "/x"), ("http://a/b", "http://a:80/x"), ("https://A/b", "https://a:443/x"), ("https://a:444/b", "//a:444/x")
    ])
  func `a redirect target with the same scheme, host, and port is of the same origin`(url: String, location: String) throws {
    #expect(try hop(url, location).isSameOrigin)
  }

  @Test(
    arguments: [
      ("http://a/b", "http://b/x"), ("http://a/b", "https://a/b"), ("http://a/b", "http://a:81/b"), ("https://a/b", "//a.b/x"),
      ("https://a.example/b", "https://a.example.b/x"), ("https://a/b", "https://a@b/x"), ("https://a/", "https://a:80/")
    ])
  func `a redirect target with another scheme, host, or port is of another origin`(url: String, location: String) throws {
    #expect(try !hop(url, location).isSameOrigin)
  }

  @Test(arguments: ["https://b/x", "//b/x", "https://a:444/x"])
  func `a redirect target of another origin does not get the credentials of the first URL`(location: String) throws {
    let target = try hop("https://ann:secret@a/b", location).url.absoluteString
    #expect(!target.contains("ann"))
    #expect(!target.contains("secret"))
  }

  @Test(arguments: ["http://a/b", "http://b/x", "HTTP://a:443/"])
  func `a redirect from https to http is refused, even on the same host`(location: String) throws {
    guard case .refused? = reason("https://a/b", location) else {
      Issue.record("the redirect to \(location) was followed")
      return
    }
  }

  @Test(
    arguments: [
      "file:///etc/passwd", "FILE:///etc/passwd", "data:image/png;base64,AAAA", "ftp://a/b", "javascript:alert(1)", "about:blank",
      "mailto:ann@a"
    ])
  func `only redirects to http and https URLs are followed`(location: String) {
    guard case .refused? = reason("http://a/b", location) else {
      Issue.record("the redirect to \(location) was followed, or failed for another reason")
      return
    }
  }

  @Test(arguments: ["https://a/x", "/x", "https://A:443/x"])
  func `a redirect target of the same origin gets the credentials of the first URL`(location: String) throws {
    let target = try hop("https://a%40n:s%2Ft@a/b", location).url
    #expect(target.user(percentEncoded: true) == "a%40n")
    #expect(target.password(percentEncoded: true) == "s%2Ft")
    #expect(CanonicalURL(target).text == "https://a/x")
  }

  @Test(arguments: ["https://bob@a/x", "https://%FF@a/x"])
  func `credentials in the URL of a redirect target are not changed`(location: String) throws {
    #expect(try hop("https://ann:secret@a/b", location).url.absoluteString == location)
  }

  @Test(arguments: [nil, "", ", "])
  func `a redirect without a target is malformed`(location: String?) {
    #expect(reason("http://a/b", location) == .malformed("it redirects to no URL"))
  }

  @Test(
    arguments: ["http://", "https://", "http:///", "http://?x", "https://:80/", "http://a b/", "http://b:99999/", "//"])
  func `a redirect to a web URL without a proper host or port is malformed`(location: String) {
    #expect(reason("http://a/b", location) == .malformed("it redirects to an address that is not valid"))
  }

  @Test(
    arguments: [
      ("/%20b c", "http://a/%20b%20c"), ("/caf\u{e9}%2F", "http://a/caf%C3%A9%2F"), ("/b?c=%C3%A4 ä", "http://a/b?c=%C3%A4%20%C3%A4"),
      ("https://b/%41|{", "https://b/%41%7C%7B"), ("/b\tc", "http://a/bc")
    ])
  func `a percent escape in a target is not escaped again when another character is escaped`(location: String, target: String) throws {
    #expect(try hop("http://a/b", location).url.absoluteString == target)
  }

  @Test(arguments: ["/x, /x", "http://b/x, http://b/x, http://b/x"])
  func `a location that names the same target several times counts as one target`(location: String) throws {
    #expect(try hop("http://a/b", location).url.path() == "/x")
  }

  @Test(arguments: ["/x, /y", "http://b/x, http://c/x", "x, https://b/x", "/x, //b/x", ", /x"])
  func `a redirect to two targets is malformed`(location: String) {
    #expect(reason("http://a/b", location) == .malformed("it redirects to two URLs"))
  }

  @Test(
    arguments: [
      ("/a,b", "http://a/a,b"), ("/a, b.jpg", "http://a/a,%20b.jpg"), ("/a,/b", "http://a/a,/b"),
      ("/a, b/c:d", "http://a/a,%20b/c:d"), ("/a, b?c:d", "http://a/a,%20b?c:d")
    ])
  func `a comma in a target is part of the target`(location: String, target: String) throws {
    #expect(try hop("http://a/b", location).url.absoluteString == target)
  }

  @Test func `ten redirects are followed, but the eleventh is not`() throws {
    #expect(try hop("http://a/", "/x", count: 9).isSameOrigin)
    #expect(reason("http://a/", "/x", count: 10) == .malformed("it redirects more than 10 times"))
  }
}
