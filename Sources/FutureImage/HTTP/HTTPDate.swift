/// Parses dates in HTTP header fields, and delays that are stated as a date or in seconds. Formats: RFC 9110, section 5.6.7 (the current
/// format and two obsolete formats that recipients must accept) and section 10.2.3 (`Retry-After`).
enum HTTPDate {
  private static let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)

  /// Returns the date of a text in one of these formats; nil for any other text.
  ///
  /// | format | example |
  /// | --- | --- |
  /// | IMF-fixdate | `Sun, 06 Nov 1994 08:49:37 GMT` |
  /// | RFC 850 | `Sunday, 06-Nov-94 08:49:37 GMT` |
  /// | asctime | `Sun Nov  6 08:49:37 1994` |
  ///
  /// - Parameter now: the current date. A two-digit year means a year that is less than 50 years after this date.
  static func date(_ text: String, now: @autoclosure () -> Date = Date()) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      var words = Words(bytes)
      let count = words.count
      // The first word is the day of the week, which is not checked.
      _ = words.next()
      switch count {
      case 6:
        let (day, month, year, clock) = (words.next(), words.next(), words.next(), words.next())
        return isGMT(words.next()) ? date(day: day, month: month, year: self.year(year), clock: clock) : nil
      case 5:
        let (month, day, clock) = (words.next(), words.next(), words.next())
        return date(day: day, month: month, year: year(words.next()), clock: clock)
      case 4:
        let (date, clock) = (words.next(), words.next())
        return isGMT(words.next()) ? self.date(dashed: date, clock: clock, now()) : nil
      default: return nil
      }
    }
  }

  private static func date(dashed: Word, clock: Word, _ now: Date) -> Date? {
    let dash = UInt8(ascii: "-")
    guard let first = dashed.firstIndex(of: dash), let last = dashed.lastIndex(of: dash), first < last else { return nil }
    return date(day: dashed[..<first], month: dashed[(first + 1)..<last], year: shortYear(dashed[(last + 1)...], now), clock: clock)
  }

  private static func date(day: Word, month: Word, year: Int?, clock: Word) -> Date? {
    guard let day = number(day), let month = number(ofMonth: month), let year, (1970...9999).contains(year),
      (1...days(in: month, of: year)).contains(day)
    else { return nil }
    var parts = Words(clock, separator: UInt8(ascii: ":"))
    guard parts.count == 3, let hour = number(parts.next()), let minute = number(parts.next()), let second = number(parts.next()),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let seconds = daysSince1970(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  private static func isGMT(_ word: Word) -> Bool { word.elementsEqual("GMT".utf8) }

  /// Returns the number of the month, which is 1 for January.
  private static func number(ofMonth name: Word) -> Int? {
    guard name.count == 3 else { return nil }
    return (1...12).first { months[(3 * $0 - 3)..<(3 * $0)].elementsEqual(name) }
  }

  private static func year(_ digits: Word) -> Int? { digits.count == 4 ? number(digits) : nil }

  private static func shortYear(_ digits: Word, _ now: Date) -> Int? {
    guard digits.count == 2, let short = number(digits) else { return nil }
    // The average year of the Gregorian calendar has 31,556,952 seconds.
    let current = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
    let year = current / 100 * 100 + short
    return year - current >= 50 ? year - 100 : year
  }

  /// Returns the number that the digits state; nil if the text is empty or has other characters. A number too large for any part of a date
  /// is capped.
  private static func number(_ digits: Word) -> Int? {
    guard !digits.isEmpty else { return nil }
    var number = 0
    for digit in digits {
      guard (48...57).contains(digit) else { return nil }
      number = min(number * 10 + Int(digit - 48), 100_000)
    }
    return number
  }

  /// Returns the delay that `Retry-After` requests.
  static func wait(_ text: String, now: Date) -> Duration? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if let seconds = Int(deltaSeconds: text) { return .seconds(seconds) }
    return date(text, now: now).map { .seconds(max(0, $0.timeIntervalSince(now))) }
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the number of days since January 1, 1970, in the proleptic Gregorian calendar. Source: H. Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms", `days_from_civil`.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// A part of a text. It refers to the bytes of the text and does not copy them.
private typealias Word = Slice<UnsafeBufferPointer<UInt8>>

/// The words of a text between its separators. Several separators in a row count as one.
private struct Words {
  private let separator: UInt8
  private var rest: Word

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.init(bytes[...], separator: UInt8(ascii: " "))
  }

  init(_ text: Word, separator: UInt8) {
    self.separator = separator
    rest = text
  }

  /// The number of remaining words.
  var count: Int {
    var others = self
    var count = 0
    while !others.next().isEmpty { count += 1 }
    return count
  }

  /// Removes and returns the next word. After the last word, returns an empty word.
  mutating func next() -> Word {
    let start = rest.firstIndex { $0 != separator } ?? rest.endIndex
    let end = rest[start...].firstIndex(of: separator) ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest[start..<end]
  }
}
