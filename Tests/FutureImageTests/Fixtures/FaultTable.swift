import Foundation

@testable import FutureImage

/// The outcome of each tested fault, printed as a table when the tests end.
enum FaultTable {
  private static let rows = Lock<[String: String]>([:])

  static func note(_ fault: String, _ outcome: String) {
    let isFirst = rows.withLock { rows in
      defer { rows[fault] = outcome }
      return rows.isEmpty
    }
    if isFirst { atexit { FaultTable.print() } }
  }

  private static func print() {
    let rows = rows.withLock { $0 }
    Swift.print("| fault | outcome |\n| --- | --- |")
    for (fault, outcome) in rows.sorted(by: { $0.key < $1.key }) { Swift.print("| \(fault) | \(outcome) |") }
  }
}
