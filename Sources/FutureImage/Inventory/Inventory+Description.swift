extension FutureImage.Inventory: CustomStringConvertible {
  /// A line of totals, and a table with one line per future.
  var description: String {
    let header = ["phase", "whole", "decoded", "pixels", "encoded", "held by", "key"]
    return ([summary] + Self.table([header] + entries.map(\.cells))).joined(separator: "\n")
  }

  private var summary: String {
    let counts = ["ready", "fetched", "loading", "waiting", "failed"].map { name in
      (name, entries.count { $0.phase.prefix(while: \.isLetter) == name })
    }
    let phases = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    let total = "\(entries.count) future\(entries.count == 1 ? "" : "s")" + (phases.isEmpty ? "" : ": \(phases)")
    return "\(total). Pixels: \(pixelBytes.inBytes). Pool: \(poolBytes.inBytes). Encoded: \(encodedBytes.inBytes)."
  }

  /// Pads each column to its widest cell, except for the last column.
  private static func table(_ rows: [[String]]) -> [String] {
    guard rows.count > 1 else { return [] }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let padded = zip(row, widths).dropLast().map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return (padded + row.suffix(1)).joined(separator: "  ")
    }
  }
}

extension FutureImage.Inventory.Entry {
  fileprivate var cells: [String] {
    [
      phase, wholeSize?.description ?? "-", decodedSize?.description ?? "-", pixelBytes == 0 ? "-" : pixelBytes.inBytes,
      encodedBytes == 0 ? "-" : encodedBytes.inBytes, holders, key
    ]
  }

  /// The kinds and numbers of the objects that use the future, for tables.
  var holders: String {
    let counts = [("view", views), ("waiter", waiters), ("prefetch", prefetches), ("phase stream", phaseStreams)]
    let texts = counts.filter { $0.1 > 0 }.map { name, count in "\(count) \(name)" + (count == 1 ? "" : name.hasSuffix("h") ? "es" : "s") }
    return texts.isEmpty ? "only the model" : texts.joined(separator: ", ")
  }
}

extension Int {
  /// The number in bytes, thousands, or millions of bytes.
  fileprivate var inBytes: String {
    switch self {
    case ..<1_000: "\(self) bytes"
    case ..<1_000_000: "\((self + 500) / 1_000) KB"
    default: "\((self + 50_000) / 1_000_000).\((self + 50_000) / 100_000 % 10) MB"
    }
  }
}
