/// Dates in HTTP header fields, and waits that are given as a date or in seconds. Formats: RFC 9110, section 5.6.7 (the one that is sent
/// and the two obsolete ones that must be read) and section 10.2.3 (`Retry-After`).
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// | form | |
  /// | --- | --- |
  /// | IMF-fixdate | `Sun, 06 Nov 1994 08:49:37 GMT` |
  /// | RFC 850 | `Sunday, 06-Nov-94 08:49:37 GMT` |
  /// | asctime | `Sun Nov  6 08:49:37 1994` |
  ///
  /// - Parameter now: two digits of a year mean one that is less than 50 years ahead of it.
  static func date(_ text: String, now: @autoclosure () -> Date = Date()) -> Date? {
    let words = text.split(separator: " ")
    switch words.count {
    case 6 where words[5] == "GMT": return date(day: words[1], month: words[2], year: year(words[3]), clock: words[4])
    case 5: return date(day: words[2], month: words[1], year: year(words[4]), clock: words[3])
    case 4 where words[3] == "GMT":
      let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
      return date(day: parts[0], month: parts[1], year: shortYear(parts[2], now()), clock: words[2])
    default: return nil
    }
  }

  private static func date(day: Substring, month: Substring, year: Int?, clock: Substring) -> Date? {
    guard let day = Int(day), let month = months.firstIndex(of: String(month)), let year, (1970...9999).contains(year),
      (1...days(in: month + 1, of: year)).contains(day)
    else { return nil }
    let clock = clock.split(separator: ":").map { Int($0) ?? -1 }
    guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2]) else { return nil }
    let seconds = daysSince1970(year: year, month: month + 1, day: day) * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  private static func year(_ digits: Substring) -> Int? { digits.count == 4 ? Int(digits) : nil }

  private static func shortYear(_ digits: Substring, _ now: Date) -> Int? {
    guard digits.count == 2, let short = Int(digits), short >= 0 else { return nil }
    let current = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
    let year = current / 100 * 100 + short
    return year - current >= 50 ? year - 100 : year
  }

  /// How long `Retry-After` asks to wait.
  static func wait(_ text: String, now: Date) -> Duration? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) { return .seconds(min(Int(text) ?? .max, 1 << 31)) }
    return date(text, now: now).map { .seconds(max(0, $0.timeIntervalSince(now))) }
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The proleptic Gregorian calendar. Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
