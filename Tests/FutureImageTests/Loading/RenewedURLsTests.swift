import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RenewedURLsTests {
  private let renewed = RenewedURLs()
  private let key = SourceKey("a")

  private func url(_ name: String) -> URL { Shop.url(name) }

  @Test func `an expired URL is replaced by the new one, and no other URL is`() {
    renewed.renew(url("old"), with: url("new"), key)
    #expect(renewed.url(insteadOf: url("old"), key) == url("new"))
    #expect(renewed.url(insteadOf: url("new"), key) == url("new"))
    #expect(renewed.url(insteadOf: url("other"), key) == url("other"))
    #expect(renewed.url(insteadOf: url("old"), SourceKey("b")) == url("old"))
  }

  @Test func `all expired URLs are replaced by the newest one`() {
    renewed.renew(url("1"), with: url("2"), key)
    renewed.renew(url("2"), with: url("3"), key)
    #expect(["1", "2", "3"].map { renewed.url(insteadOf: url($0), key) } == [url("3"), url("3"), url("3")])
  }

  @Test func `a URL that is given again is no longer expired`() {
    renewed.renew(url("1"), with: url("2"), key)
    renewed.renew(url("2"), with: url("1"), key)
    #expect(["1", "2"].map { renewed.url(insteadOf: url($0), key) } == [url("1"), url("1")])
  }

  @Test func `another URL of the key that has expired is replaced by the known new one from then on`() {
    #expect(renewed.expire(url("other"), key) == nil)
    renewed.renew(url("old"), with: url("new"), key)
    #expect(renewed.expire(url("new"), key) == nil)
    #expect(renewed.expire(url("other"), SourceKey("b")) == nil)
    #expect(renewed.expire(url("other"), key) == url("new"))
    #expect(renewed.url(insteadOf: url("other"), key) == url("new"))
    #expect(renewed.url(insteadOf: url("old"), key) == url("new"))
  }

  @Test func `the latest sixteen expired URLs of a key are remembered`() {
    renewed.renew(url("0"), with: url("new"), key)
    for number in 1...15 { #expect(renewed.expire(url("\(number)"), key) == url("new")) }
    // Expired again: now the latest.
    _ = renewed.expire(url("1"), key)
    #expect(renewed.url(insteadOf: url("0"), key) == url("new"))
    _ = renewed.expire(url("16"), key)
    #expect(renewed.url(insteadOf: url("0"), key) == url("0"))
    _ = renewed.expire(url("17"), key)
    #expect(renewed.url(insteadOf: url("1"), key) == url("new"))
    #expect(renewed.url(insteadOf: url("2"), key) == url("2"))
  }
}
