/// The line of a test that waits.
struct CallSite: Sendable, CustomStringConvertible {
  private let fileID: StaticString
  private let line: UInt

  init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  /// The file name without its module, and the line.
  var description: String { "\("\(fileID)".split(separator: "/").last ?? ""):\(line)" }
}

/// A wait with a limit, and the texts of its error.
struct LimitedWait: Sendable {
  let limit: WaitLimit
  let place: CallSite
  /// The text after “waited 60.0 seconds” in the error, such as "for 2 requests".
  let what: String

  init(_ limit: WaitLimit, _ place: CallSite, _ what: String) { (self.limit, self.place, self.what) = (limit, place, what) }
}

extension Int {
  /// The count with its noun: "1 request", "2 requests".
  func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

/// Returns the number of the texts and, in parentheses, the first ten of them.
func listed(_ texts: [String]) -> String {
  guard !texts.isEmpty else { return "0" }
  return "\(texts.count) (\(texts.prefix(10).joined(separator: ", "))\(texts.count > 10 ? ", …" : ""))"
}
