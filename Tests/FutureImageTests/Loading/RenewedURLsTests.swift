import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RenewedURLsTests {
  private var renewed = RenewedURLs()

  private func url(_ name: String) -> URL { LoaderFixture.url(name) }

  @Test mutating func `an expired URL is replaced by the new URL, and other URLs are not replaced`() {
    renewed.renew(url("old"), with: url("new"))
    #expect(renewed.url(insteadOf: url("old")) == url("new"))
    #expect(renewed.url(insteadOf: url("new")) == url("new"))
    #expect(renewed.url(insteadOf: url("other")) == url("other"))
  }

  @Test mutating func `all expired URLs are replaced by the newest URL`() {
    renewed.renew(url("1"), with: url("2"))
    renewed.renew(url("2"), with: url("3"))
    #expect(["1", "2", "3"].map { renewed.url(insteadOf: url($0)) } == [url("3"), url("3"), url("3")])
  }

  @Test mutating func `a URL that a renewal returns again is no longer expired`() {
    renewed.renew(url("1"), with: url("2"))
    renewed.renew(url("2"), with: url("1"))
    #expect(["1", "2"].map { renewed.url(insteadOf: url($0)) } == [url("1"), url("1")])
  }

  @Test mutating func `when another URL of an image expires, the new URL that is already known replaces the expired URL`() {
    #expect(renewed.isEmpty)
    #expect(renewed.expire(url("other")) == nil)
    renewed.renew(url("old"), with: url("new"))
    #expect(!renewed.isEmpty)
    #expect(renewed.expire(url("new")) == nil)
    #expect(renewed.expire(url("other")) == url("new"))
    #expect(renewed.url(insteadOf: url("other")) == url("new"))
    #expect(renewed.url(insteadOf: url("old")) == url("new"))
  }

  @Test mutating func `the latest sixteen expired URLs of an image are remembered`() {
    renewed.renew(url("0"), with: url("new"))
    for number in 1...15 { #expect(renewed.expire(url("\(number)")) == url("new")) }
    // This URL expires again, so it is now the latest.
    _ = renewed.expire(url("1"))
    #expect(renewed.url(insteadOf: url("0")) == url("new"))
    _ = renewed.expire(url("16"))
    #expect(renewed.url(insteadOf: url("0")) == url("0"))
    _ = renewed.expire(url("17"))
    #expect(renewed.url(insteadOf: url("1")) == url("new"))
    #expect(renewed.url(insteadOf: url("2")) == url("2"))
  }
}
