import Foundation
import Testing

/// The migration pages give the line counts of screens that were rewritten. These tests count the lines of the rewritten screens.
@Suite(.timeLimit(.minutes(5))) struct PortTests {
  private static let root = URL(fileURLWithPath: "../..", relativeTo: URL(fileURLWithPath: #filePath).deletingLastPathComponent())

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The rows of the table whose last column has the given title, without its header.
  private static func rows(of page: String, lastColumn title: String) throws -> [[String]] {
    let lines = try text("Sources/FutureImage/Documentation.docc/\(page).md").components(separatedBy: "\n")
    let table = lines.drop { !$0.hasSuffix("| \(title) |") }.prefix { $0.hasPrefix("|") }
    return table.dropFirst(2).map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Lines that are neither blank nor comments.
  private static func lines(of file: String) throws -> Int {
    try text(file).components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .count { !$0.isEmpty && !$0.hasPrefix("//") }
  }

  @Test(arguments: [("Kingfisher", 10), ("Nuke", 2), ("SDWebImage", 2)])
  func `each port has the number of lines that its migration page states`(_ library: String, _ files: Int) throws {
    let folder = "Tests/UIKitContract/ports/\(library)"
    let rows = try Self.rows(of: "MigratingFrom\(library)", lastColumn: "lines")
    #expect(rows.count == files + 1)
    var (before, after) = (0, 0)
    for row in rows.dropLast() {
      let file = row[3].replacing("`", with: "")
      before += try #require(Int(row[2]))
      after += try #require(Int(row[4]))
      #expect(try Self.lines(of: "\(folder)/\(file)") == Int(row[4]), "\(file)")
    }
    #expect(rows.last == ["together", "", "\(before)", "", "\(after)"])
    let there = try FileManager.default.contentsOfDirectory(at: Self.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    #expect(there.count == files)
  }
}
