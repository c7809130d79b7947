/// Prints a value for the report that `Tests/first-run` writes.
/// - Parameters:
///   - row: the number of the test in the report.
///   - name: what was measured.
///   - value: its value, on one line.
func record(_ row: Int, _ name: String, _ value: Any) {
  print("RECORD \(row) | \(name) | \(value)")
}
