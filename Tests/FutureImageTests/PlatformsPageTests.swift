import Foundation
import Testing

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
/// False on a device, which has no sources.
private let hasSources = FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path)

/// Compares the statements of `Platforms.md` about code for one platform only with the guards in the sources.
@Suite(.enabled(if: hasSources, "the sources are not on the machine that runs the tests"), .timeLimit(.minutes(5)))
struct PlatformsPageTests {
  /// Lines that only Apple's platforms compile.
  private static let apple: Set = ["canImport(UIKit)", "canImport(Darwin)", "canImport(ObjectiveC)", "canImport(CoreGraphics)"]
  /// The guards of tests that need Linux.
  private static let linux: Set = ["canImport(UIKitStandIn) && !canImport(UIKit)", "!canImport(UIKit)"]

  private let page: String

  init() throws {
    page = try String(
      contentsOf: root.appendingPathComponent("Sources/FutureImage/Documentation.docc/Platforms.md"), encoding: .utf8)
  }

  @Test func `every file with lines for Apple's platforms is listed with the number of those lines`() throws {
    var listed: [String: Int] = [:]
    for row in try table(headed: "| file below `Sources/FutureImage` |") { listed[try #require(paths(row[0]).first)] = Int(row[1]) }
    var counted: [String: Int] = [:]
    for file in try swiftFiles("Sources/FutureImage") {
      let count = try lines(of: "Sources/FutureImage/\(file)", in: Self.apple).count
      if count > 0 { counted[file] = count }
    }
    #expect(listed == counted)
  }

  @Test func `the page counts the lines that use Darwin and that nothing type-checks`() throws {
    let files = try ["Sources/FutureImage", "Sources/FutureImageTesting", "Tests"].flatMap { folder in
      try swiftFiles(folder).map { "\(folder)/\($0)" }
    }
    var counted: [String: Int] = [:]
    for file in files {
      let count = try lines(of: file, in: ["canImport(Darwin)"]).count
      if count > 0 { counted[file] = count }
    }
    #expect(
      counted == [
        "Sources/FutureImage/Platform": 1, "Sources/FutureImageTesting/Platform": 12,
        "Tests/FutureImageTestingTests/Support/RawClient": 1
      ])
    #expect(page.contains("`FutureImageTesting/Platform` (12 lines)"))
    #expect(page.contains("14 lines, against a contract"))
  }

  @Test func `every test file that needs Linux is listed`() throws {
    let listed = try table(headed: "| files below `Tests` | why").flatMap { paths($0[0]) }
    let tests = try swiftFiles("Tests").filter { !$0.hasPrefix("UIKitContract/") }
    var unlisted: [String] = []
    for test in tests where !listed.contains(where: { test == $0 || test.hasPrefix("\($0)/") }) {
      if try guardOfAll(of: "Tests/\(test)").map(Self.linux.contains) ?? false { unlisted.append(test) }
    }
    #expect(unlisted.isEmpty)
    // No other file is listed. The stand-in's tests are a target of Linux.
    for path in listed where path != "UIKitStandInTests" {
      let files = tests.filter { $0 == path || $0.hasPrefix("\(path)/") }
      #expect(!files.isEmpty, "\(path)")
      for file in files { #expect(try guardOfAll(of: "Tests/\(file)").map(Self.linux.contains) ?? false, "\(file)") }
    }
  }

  @Test func `every test file with some tests that need Linux is listed`() throws {
    let listed = try table(headed: "| files below `Tests` | what").flatMap { paths($0[0]) }
    let guarded = try swiftFiles("Tests").filter { test in
      let file = "Tests/\(test)"
      guard !test.hasPrefix("UIKitContract/"), try !(guardOfAll(of: file).map(Self.linux.contains) ?? false) else { return false }
      return try !lines(of: file, in: Self.linux).isEmpty
    }
    #expect(Set(listed) == Set(guarded) && listed.count == guarded.count)
  }

  /// The cells of each row of the table with the given header.
  private func table(headed header: String) throws -> [[String]] {
    let rows = page.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(rows.firstIndex { $0.hasPrefix(header) })
    return rows[(start + 2)...].prefix { $0.hasPrefix("|") }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The texts between backquotes.
  private func paths(_ cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }

  /// The paths of the Swift files in a folder, without their extension.
  private func swiftFiles(_ folder: String) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.map { String($0.dropLast(6)) }
  }

  private func text(of file: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent("\(file).swift"), encoding: .utf8)
  }

  /// The condition around the whole file; nil if the file does not begin with one.
  private func guardOfAll(of file: String) throws -> String? {
    try text(of: file).split(separator: "\n").first.flatMap { $0.hasPrefix("#if ") ? String($0.dropFirst(4)) : nil }
  }

  /// The lines that are compiled only under one of the conditions, without directives.
  private func lines(of file: String, in conditions: Set<String>) throws -> [Substring] {
    var stack: [Bool] = []
    return try text(of: file).split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      let words = line.trimmingCharacters(in: .whitespaces)
      if words.hasPrefix("#if ") {
        stack.append(conditions.contains(String(words.dropFirst(4))))
      } else if words.hasPrefix("#elseif ") {
        stack[stack.count - 1] = conditions.contains(String(words.dropFirst(8)))
      } else if words == "#else" {
        stack[stack.count - 1] = false
      } else if words == "#endif" {
        stack.removeLast()
      } else {
        return stack.contains(true)
      }
      return false
    }
  }
}
