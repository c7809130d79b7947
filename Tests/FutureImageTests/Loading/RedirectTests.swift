import Foundation
import Testing

@testable import FutureImage

@Suite("Redirect", .timeLimit(.minutes(5))) struct RedirectTests {
  typealias Failure = FutureImage.Failure

  private func hop(_ url: String, _ location: String?, count: Int = 0) throws -> Redirect.Hop {
    try Redirect.hop(from: try #require(URL(string: url)), to: location, count: count)
  }

  private func reason(_ url: String, _ location: String?, count: Int = 0) -> Failure.Reason? {
    do {
      let hop = try hop(url, location, count: count)
      Issue.record("led to \(hop.url)")
      return nil
    } catch {
      return (error as? Failure)?.reason
    }
  }

  @Test(
    "A location is resolved against the URL of its request",
    arguments: [
      ("http://a/b/c?q", "http://b/x", "http://b/x"), ("http://a/b/c?q", "/x", "http://a/x"), ("http://a/b/c?q", "x", "http://a/b/x"),
      ("http://a/b/c?q", "../x", "http://a/x"), ("http://a/b/c?q", "?r", "http://a/b/c?r"), ("https://a/b", "//b/x", "https://b/x"),
      ("http://a:8080/b", "/x", "http://a:8080/x"), ("http://a/b", "HTTPS://B/x", "https://b/x"), ("http://a/b", "http:///c", "http://c/"),
      ("http://a/b/c", "http:x", "http://a/b/x"), ("http://a/b/c", "..\\x", "http://a/x"), ("http://a/b", "\\\\b\\x", "http://b/x")
    ])
  func resolves(url: String, location: String, target: String) throws {
    #expect(CanonicalURL(try hop(url, location).url).text == target)
  }

  @Test(
    "A target with the same scheme, host, and port gets the credentials and headers",
    arguments: [
      ("http://a/b", "/x"), ("http://a/b", "http://a:80/x"), ("https://A/b", "https://a:443/x"), ("https://a:444/b", "//a:444/x")
    ])
  func sameOrigin(url: String, location: String) throws {
    #expect(try hop(url, location).isSameOrigin)
  }

  @Test(
    "A target with another scheme, host, or port does not get the credentials and headers",
    arguments: [
      ("http://a/b", "http://b/x"), ("http://a/b", "https://a/b"), ("http://a/b", "http://a:81/b"), ("https://a/b", "//a.b/x"),
      ("https://a.example/b", "https://a.example.b/x"), ("https://a/b", "https://a@b/x"), ("https://a/", "https://a:80/")
    ])
  func otherOrigin(url: String, location: String) throws {
    #expect(try !hop(url, location).isSameOrigin)
  }

  @Test("The credentials of the URL are not sent to another origin", arguments: ["https://b/x", "//b/x", "https://a:444/x"])
  func credentialsStay(location: String) throws {
    let target = try hop("https://ann:secret@a/b", location).url.absoluteString
    #expect(!target.contains("ann"))
    #expect(!target.contains("secret"))
  }

  @Test("A redirect from https to http is refused, even on the same host", arguments: ["http://a/b", "http://b/x", "HTTP://a:443/"])
  func downgrade(location: String) throws {
    guard case .refused? = reason("https://a/b", location) else {
      Issue.record("followed \(location)")
      return
    }
  }

  @Test(
    "Only http and https URLs are followed",
    arguments: [
      "file:///etc/passwd", "FILE:///etc/passwd", "data:image/png;base64,AAAA", "ftp://a/b", "javascript:alert(1)", "about:blank",
      "mailto:ann@a"
    ])
  func schemes(location: String) {
    guard case .refused? = reason("http://a/b", location) else {
      Issue.record("followed \(location), or failed for another reason")
      return
    }
  }

  @Test("The credentials of the URL are sent to another target of its origin", arguments: ["https://a/x", "/x", "https://A:443/x"])
  func credentialsGoAlong(location: String) throws {
    let target = try hop("https://a%40n:s%2Ft@a/b", location).url
    #expect(target.user(percentEncoded: true) == "a%40n")
    #expect(target.password(percentEncoded: true) == "s%2Ft")
    #expect(CanonicalURL(target).text == "https://a/x")
  }

  @Test("A target that has credentials keeps them", arguments: ["https://bob@a/x", "https://%FF@a/x"])
  func credentialsOfTarget(location: String) throws {
    #expect(try hop("https://ann:secret@a/b", location).url.absoluteString == location)
  }

  @Test("A redirect without a target is malformed", arguments: [nil, "", ", "])
  func noTarget(location: String?) {
    #expect(reason("http://a/b", location) == .malformed("it redirects to no URL"))
  }

  @Test(
    "A redirect to a web URL without a proper host or port is malformed",
    arguments: ["http://", "https://", "http:///", "http://?x", "https://:80/", "http://a b/", "http://b:99999/", "//"])
  func invalidTarget(location: String) {
    #expect(reason("http://a/b", location) == .malformed("it redirects to an address that is not valid"))
  }

  @Test(
    "An escape in a target beside a character that needs one stays as it is",
    arguments: [
      ("/%20b c", "http://a/%20b%20c"), ("/caf\u{e9}%2F", "http://a/caf%C3%A9%2F"), ("/b?c=%C3%A4 ä", "http://a/b?c=%C3%A4%20%C3%A4"),
      ("https://b/%41|{", "https://b/%41%7C%7B"), ("/b\tc", "http://a/bc")
    ])
  func escapedOnce(location: String, target: String) throws {
    #expect(try hop("http://a/b", location).url.absoluteString == target)
  }

  @Test("A repeated target counts as one target", arguments: ["/x, /x", "http://b/x, http://b/x, http://b/x"])
  func sameTargetTwice(location: String) throws {
    #expect(try hop("http://a/b", location).url.path() == "/x")
  }

  @Test("A redirect to two targets is malformed", arguments: ["/x, /y", "http://b/x, http://c/x", "x, https://b/x", "/x, //b/x", ", /x"])
  func twoTargets(location: String) {
    #expect(reason("http://a/b", location) == .malformed("it redirects to two URLs"))
  }

  @Test(
    "A comma in a target is part of it",
    arguments: [
      ("/a,b", "http://a/a,b"), ("/a, b.jpg", "http://a/a,%20b.jpg"), ("/a,/b", "http://a/a,/b"),
      ("/a, b/c:d", "http://a/a,%20b/c:d"), ("/a, b?c:d", "http://a/a,%20b?c:d")
    ])
  func comma(location: String, target: String) throws {
    #expect(try hop("http://a/b", location).url.absoluteString == target)
  }

  @Test("Ten redirects are followed, but the eleventh is not")
  func limit() throws {
    #expect(try hop("http://a/", "/x", count: 9).isSameOrigin)
    #expect(reason("http://a/", "/x", count: 10) == .malformed("it redirects more than 10 times"))
  }
}
