import Foundation

/// A readable table of results. It prints each row as soon as the row is complete.
struct Table {
  private var hasHead = false

  mutating func add(_ row: Row) {
    if !hasHead {
      print(Self.line("benchmark", "ours", "reference", "unit", "ratio", "yardstick", "multiple", "must be", "spread", ""))
      hasHead = true
    }
    let limit = row.limit.map { (row.multiple == nil ? "≤ " : "multiple ≤ ") + Self.text($0) }
    let bound = row.target.map { "ratio ≤ \(Self.text($0))" } ?? limit ?? ""
    let spread = row.spread.map { "± \(Int(($0 * 100).rounded())) %" } ?? ""
    let verdict = row.target == nil && row.limit == nil ? "" : row.ok ? "ok" : "MISSED"
    print(
      Self.line(
        row.name, Self.text(row.ours), row.reference.map(Self.text) ?? "", row.unit, row.ratio.map(Self.text) ?? "",
        row.yardstick.map(Self.text) ?? "", row.multiple.map(Self.text) ?? "", bound, spread, verdict))
    if let note = row.note { print("    \(note)") }
  }

  private static func line(_ cells: String...) -> String {
    zip(cells, [38, 10, 10, 14, 7, 9, 8, 16, 8, 8])
      .map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
      .joined(separator: " ")
  }

  static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e6 ? String(Int(value)) : String(format: abs(value) < 10 ? "%.3f" : "%.1f", value)
  }
}
