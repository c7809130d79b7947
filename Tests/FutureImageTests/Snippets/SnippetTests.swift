import Foundation
import Testing

/// Every fenced block of Swift in the README and in the catalogue stands, letter for letter but for indentation and empty lines, in the
/// file of the same name beside this one or beside the test kit's tests, and so compiles. Some of those files are run, too. The files of a
/// GTK window are the demo's, with which they compile.
@Suite(.timeLimit(.minutes(5))) struct SnippetTests {
  private struct Block {
    let language: String
    let text: String
  }

  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  /// Beside the test kit's own tests, whose waits throw.
  private static let kit = URL(fileURLWithPath: "../../FutureImageTestingTests/Snippets", relativeTo: here)
  private static let root = URL(fileURLWithPath: "../../..", relativeTo: here)
  private static let catalogue = root.appendingPathComponent("Sources/FutureImage/Documentation.docc")
  private static let demo = root.appendingPathComponent("Demo/Sources")
  private static let pageOnGTK = "OnLinuxWithGTK"

  /// By name, without what the name ends in.
  private static func files(in folder: URL, endingIn ending: String) throws -> [String: URL] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let matching = files.filter { $0.pathExtension == ending }
    return Dictionary(uniqueKeysWithValues: matching.map { ($0.deletingPathExtension().lastPathComponent, $0) })
  }

  private static func pages() throws -> [String: URL] {
    var pages = try files(in: catalogue, endingIn: "md")
    pages["README"] = root.appendingPathComponent("README.md")
    return pages
  }

  private static func blocks(of page: URL) throws -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
      guard line.hasPrefix("```") else {
        open = open.map { Block(language: $0.language, text: $0.text + line + "\n") }
        continue
      }
      if let closed = open { blocks.append(closed) }
      open = open == nil ? Block(language: String(line.dropFirst(3)), text: "") : nil
    }
    return blocks
  }

  /// The files, each without indentation and empty lines.
  private static func squeezed(_ files: [URL]) throws -> String {
    try files.map { "\n" + (try String(contentsOf: $0, encoding: .utf8).squeezed) + "\n" }.joined()
  }

  @Test func `every Swift snippet of README and catalogue compiles here, letter for letter`() throws {
    let twins = try Self.files(in: Self.here, endingIn: "swift").merging(Self.files(in: Self.kit, endingIn: "swift")) { here, _ in here }
    let window = try ["StorefrontGTK/GTK", "StorefrontGTK/Screens", "PictureWindow"].flatMap { folder in
      try Self.files(in: Self.demo.appendingPathComponent(folder), endingIn: "swift").values
    }
    var count = 0
    for (name, page) in try Self.pages() {
      for block in try Self.blocks(of: page) where block.language == "swift" {
        count += 1
        let twin = try #require(twins[name], "\(name).swift is not there")
        let code = try Self.squeezed([twin] + (name == Self.pageOnGTK ? window : []))
        #expect(code.contains("\n" + block.text.squeezed + "\n"), "not compiled in \(name).swift: \(block.text)")
      }
    }
    #expect(count >= 50)
  }

  @Test func `the declarations of GTK's module are those that the demo compiles`() throws {
    let page = try String(contentsOf: Self.catalogue.appendingPathComponent("\(Self.pageOnGTK).md"), encoding: .utf8)
    for name in ["module.modulemap", "shim.h"] {
      let file = try String(contentsOf: Self.demo.appendingPathComponent("CGtk/\(name)"), encoding: .utf8)
      #expect(page.contains("```text\n\(file)```\n"), "the page does not have the demo's \(name)")
    }
  }

  @Test func `every call in the README's lists and tables is compiled here, too`() throws {
    let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let code = try String(contentsOf: Self.here.appendingPathComponent("README.swift"), encoding: .utf8)
    let items = readme.components(separatedBy: "\n").filter { $0.hasPrefix("- ") || $0.hasPrefix("  ") || $0.hasPrefix("| ") }
    let calls = items.flatMap { $0.matches(of: /`([^`]*\([^`]*)`/).map { String($0.1) } }
    #expect(calls.count >= 3)
    for call in calls { #expect(code.contains(call), "not compiled: \(call)") }
  }

  @Test func `every call beside another library's is compiled here, too`() throws {
    func isOfMigration(_ name: String) -> Bool { name.hasPrefix("MigratingFrom") }
    let twins = try Self.files(in: Self.here, endingIn: "swift").filter { isOfMigration($0.key) }
    let code = try twins.values.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    var count = 0
    for (name, page) in try Self.pages() where isOfMigration(name) {
      for call in try Self.calls(beside: "FutureImage", in: page) {
        count += 1
        #expect(code.contains(call), "not compiled for \(name): \(call)")
      }
    }
    #expect(count >= 50)
  }

  /// The code with an argument or an assignment in the last column of the tables that have such a title there. Links to symbols are left
  /// out: the documentation's build resolves them.
  private static func calls(beside title: String, in page: URL) throws -> [String] {
    var calls: [String] = []
    var isInTable = false
    for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
      guard line.hasPrefix("|") else {
        isInTable = false
        continue
      }
      isInTable = isInTable || line.hasSuffix("| \(title) |")
      guard isInTable, let cell = line.components(separatedBy: " | ").last else { continue }
      let parts = cell.replacing(/``[^`]*``/, with: "").components(separatedBy: "`")
      let spans = parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
      calls += spans.filter { $0.contains("(") || $0.contains("=") }
    }
    return calls
  }

  @Test func `every block says what language it is in`() throws {
    for (name, page) in try Self.pages() {
      for block in try Self.blocks(of: page) {
        #expect(["swift", "json", "sh", "text"].contains(block.language), "\(name): “\(block.language)”: \(block.text)")
      }
    }
  }

  @Test func `no file here has lost its page`() throws {
    let pages = try Self.pages()
    for name in try Self.files(in: Self.here, endingIn: "swift").keys where name != "SnippetTests" {
      #expect(pages[name] != nil, "there is no page \(name)")
    }
  }
}

extension String {
  /// Without indentation and empty lines.
  fileprivate var squeezed: String {
    split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
