import Foundation
import Testing

/// Compares the tables in `Documentation.docc/Ancestors.md` with the sources of the suites beside this file.
@Suite(.timeLimit(.minutes(5))) struct AncestorsTests {
  private struct Row: Hashable {
    let feature: String
    let call: String
  }

  private let here = URL(fileURLWithPath: #filePath)

  /// The rows of each table in order, by the heading above the table.
  private func tables() throws -> [String: [Row]] {
    let file = URL(fileURLWithPath: "../../../Sources/FutureImage/Documentation.docc/Ancestors.md", relativeTo: here)
    var tables: [String: [Row]] = [:]
    var heading = ""
    for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count == 2, cells[0] != "feature", cells[0] != "---" else { continue }
      tables[heading, default: []].append(Row(feature: cells[0], call: cells[1]))
    }
    return tables
  }

  /// The name of each suite, the names of its tests in order, and its text.
  private func suites() throws -> [(name: String, tests: [String], text: String)] {
    let folder = here.deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).compactMap { file in
      let text = try String(contentsOf: file, encoding: .utf8)
      guard let name = text.firstMatch(of: /@Suite\("([^"]+)"/) else { return nil }
      return (String(name.1), text.matches(of: /@Test func `([^`]+)`\(\)/).map { String($0.1) }, text)
    }
  }

  @Test func `each table lists the features that its suite tests, in the same order`() throws {
    let tables = try tables()
    let suites = try suites()
    #expect(Set(tables.keys) == Set(suites.map(\.name)))
    #expect(tables.values.map(\.count).reduce(0, +) >= 40)
    for suite in suites { #expect(tables[suite.name]?.map(\.feature) == suite.tests) }
  }

  @Test func `each call in a table occurs in the source of the suite for that table`() throws {
    let tables = try tables()
    for suite in try suites() {
      for row in tables[suite.name] ?? [] {
        let calls = row.call.matches(of: /`([^`]+)`/)
        #expect(!calls.isEmpty, "\(row.feature)")
        for call in calls { #expect(suite.text.contains(call.1), "\(row.feature): \(call.1)") }
      }
    }
  }
}
