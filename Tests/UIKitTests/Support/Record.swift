#if canImport(UIKit) || canImport(UIKitStandIn)
/// Prints a value for the report that `Tests/first-run` writes.
/// - Parameters:
///   - row: the number of the row in the report.
///   - name: the name of the measured value.
///   - value: the measured value, on one line.
func record(_ row: Int, _ name: String, _ value: Any) {
  print("RECORD \(row) | \(name) | \(value)")
}
#endif
