import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("HTTPDate", .timeLimit(.minutes(5))) struct HTTPDateTests {
  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
      ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799)
    ])
  func `a date is read as seconds since 1970`(text: String, seconds: Int) {
    #expect(HTTPDate.date(text) == Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  @Test(
    arguments: [
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Wednesday, 01-Jan-75 00:00:00 GMT", 3_313_526_400), ("Thursday, 01-Jan-76 00:00:00 GMT", 189_302_400)
    ])
  func `dates in obsolete forms are read, and a two-digit year means a year less than 50 years ahead`(text: String, seconds: Int) throws {
    let now = try #require(HTTPDate.date("Sat, 21 Nov 2026 12:00:00 GMT"))
    #expect(HTTPDate.date(text, now: now) == Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  @Test func `dates agree with Foundation's calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let days = ["Sun", "Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func twoDigits(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let date = Date(timeIntervalSince1970: TimeInterval(Int.random(in: 0..<32_503_680_000, using: &random)))
      let parts = calendar.dateComponents([.weekday, .year, .month, .day, .hour, .minute, .second], from: date)
      let clock = [parts.hour, parts.minute, parts.second].map(twoDigits).joined(separator: ":")
      let month = months[(parts.month ?? 1) - 1]
      let (day, year) = (days[(parts.weekday ?? 1) - 1], parts.year ?? 0)
      let space = (parts.day ?? 0) < 10 ? " " : ""
      #expect(HTTPDate.date("\(day.prefix(3)), \(twoDigits(parts.day)) \(month) \(year) \(clock) GMT") == date)
      #expect(HTTPDate.date("\(day)day, \(twoDigits(parts.day))-\(month)-\(twoDigits(year % 100)) \(clock) GMT", now: date) == date)
      #expect(HTTPDate.date("\(day.prefix(3)) \(month) \(space)\(parts.day ?? 0) \(clock) \(year)") == date)
    }
  }

  @Test(
    arguments: [
      "", "now", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:-1:37 GMT",
      "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, 06 Nove 1994 08:49:37 GMT",
      "Sun, 06 ovD 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94-01 08:49:37 GMT", "Sunday, 06-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 CET",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Oct 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
      "Sun, 06 Nov 10000 08:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
      "Sunday, 06-Nov-94 08:49:37", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov 08:49:37 GMT", "Sunday, 06-Nov--4 08:49:37 GMT",
      "Sun Nov 6 08:49:37 94", "Sun 6 Nov 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT", "Sun, é6 Nov 1994 08:49:37 GMT", ":::::", "     ",
      "GMT GMT GMT GMT GMT GMT"
    ])
  func `a malformed date is not read`(text: String) {
    #expect(HTTPDate.date(text) == nil)
  }

  @Test(
    arguments: [
      "Wed, 31 Feb 2001 00:00:00 GMT", "Thu, 29 Feb 2001 00:00:00 GMT", "Mon, 29 Feb 2100 00:00:00 GMT", "Sat, 31 Nov 1994 00:00:00 GMT"
    ])
  func `a date with a day beyond the end of the month is not read`(text: String) {
    #expect(HTTPDate.date(text) == nil)
  }

  // MARK: Retry-After

  private let now = Date(timeIntervalSince1970: 784_111_777)

  @Test(
    arguments: [("0", 0), ("120", 120), (" 5\t", 5), ("007", 7), ("9999999999", 1 << 31), ("9223372036854775807", 1 << 31)])
  func `a Retry-After field can be a number of seconds, up to a limit`(text: String, seconds: Int) {
    #expect(HTTPDate.wait(text, now: now) == .seconds(seconds))
  }

  @Test func `a Retry-After field that exceeds the largest Int means the longest allowed wait`() {
    #expect(HTTPDate.wait("99999999999999999999999", now: now) == .seconds(1 << 31))
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0)
    ])
  func `a Retry-After field can be a date, and a date in the past means a wait of zero`(text: String, seconds: Int) {
    #expect(HTTPDate.wait(text, now: now) == .seconds(seconds))
  }

  @Test(arguments: ["", "-1", "1.5", "1 2", "soon", "0x10", "٣"])
  func `a malformed Retry-After field is ignored`(text: String) {
    #expect(HTTPDate.wait(text, now: now) == nil)
  }
}
