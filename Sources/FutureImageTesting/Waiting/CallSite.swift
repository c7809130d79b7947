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
