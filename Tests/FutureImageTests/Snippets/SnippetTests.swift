import Foundation
import Testing

/// Tests that every Swift block in the README and the catalog compiles. Each block must be in the file with the name of its page, in this
/// folder or among the test kit's tests. Only indentation and empty lines may differ. Some of these files also test the behavior of their
/// blocks. The blocks of the page about GTK may also be in the files of the demo, which compile with the demo.
@Suite(.timeLimit(.minutes(5))) struct SnippetTests {
  private struct Block {
    let language: String
    let text: String
  }

  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  /// The folder of the snippets that call the waiting methods of the test kit (`FutureImageTesting`), which throw errors. In this target,
  /// methods with the same names replace them and do not throw.
  private static let kit = URL(fileURLWithPath: "../../FutureImageTestingTests/Snippets", relativeTo: here)
  private static let root = URL(fileURLWithPath: "../../..", relativeTo: here)
  private static let catalog = root.appendingPathComponent("Sources/FutureImage/Documentation.docc")
  private static let demo = root.appendingPathComponent("Demo/Sources")
  private static let pageOnGTK = "OnLinuxWithGTK"

  /// Returns the files of a folder that have an extension, by their names without the extension.
  private static func files(in folder: URL, endingIn ending: String) throws -> [String: URL] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let matching = files.filter { $0.pathExtension == ending }
    return Dictionary(uniqueKeysWithValues: matching.map { ($0.deletingPathExtension().lastPathComponent, $0) })
  }

  private static func pages() throws -> [String: URL] {
    var pages = try files(in: catalog, endingIn: "md")
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

  /// Returns the texts of the files, without indentation and empty lines.
  private static func squeezed(_ files: [URL]) throws -> String {
    try files.map { "\n" + (try String(contentsOf: $0, encoding: .utf8).squeezed) + "\n" }.joined()
  }

  @Test func `every Swift block of a documentation page or the README is also in that page's snippet file`() throws {
    let twins = try Self.files(in: Self.here, endingIn: "swift").merging(Self.files(in: Self.kit, endingIn: "swift")) { here, _ in here }
    let demoFiles = try ["StorefrontGTK/GTK", "StorefrontGTK/Screens", "PictureWindow"].flatMap { folder in
      try Self.files(in: Self.demo.appendingPathComponent(folder), endingIn: "swift").values
    }
    var count = 0
    for (name, page) in try Self.pages() {
      for block in try Self.blocks(of: page) where block.language == "swift" {
        count += 1
        let twin = try #require(twins[name], "there is no file \(name).swift")
        let code = try Self.squeezed([twin] + (name == Self.pageOnGTK ? demoFiles : []))
        #expect(code.contains("\n" + block.text.squeezed + "\n"), "\(name).swift does not contain this block: \(block.text)")
      }
    }
    #expect(count >= 50)
  }

  @Test func `the page about GTK contains the demo's module map and header`() throws {
    let page = try String(contentsOf: Self.catalog.appendingPathComponent("\(Self.pageOnGTK).md"), encoding: .utf8)
    for name in ["module.modulemap", "shim.h"] {
      let file = try String(contentsOf: Self.demo.appendingPathComponent("CGtk/\(name)"), encoding: .utf8)
      #expect(page.contains("```text\n\(file)```\n"), "the page does not have the demo's \(name)")
    }
  }

  @Test func `every call in the README's lists and tables is also in README.swift`() throws {
    let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let code = try String(contentsOf: Self.here.appendingPathComponent("README.swift"), encoding: .utf8)
    let items = readme.components(separatedBy: "\n").filter { $0.hasPrefix("- ") || $0.hasPrefix("  ") || $0.hasPrefix("| ") }
    let calls = items.flatMap { $0.matches(of: /`([^`]*\([^`]*)`/).map { String($0.1) } }
    #expect(calls.count >= 3)
    for call in calls { #expect(code.contains(call), "README.swift does not contain this call: \(call)") }
  }

  @Test func `every call of this library in the tables of the migration pages is also in a snippet file`() throws {
    func isOfMigration(_ name: String) -> Bool { name.hasPrefix("MigratingFrom") }
    let twins = try Self.files(in: Self.here, endingIn: "swift").filter { isOfMigration($0.key) }
    let code = try twins.values.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    var count = 0
    for (name, page) in try Self.pages() where isOfMigration(name) {
      for call in try Self.calls(under: "FutureImage", in: page) {
        count += 1
        #expect(code.contains(call), "no snippet file contains this call of the page \(name): \(call)")
      }
    }
    #expect(count >= 50)
  }

  /// Returns the calls and assignments in the last column of each table whose last column has the title. Omits links to symbols, because
  /// the build of the documentation resolves them.
  private static func calls(under title: String, in page: URL) throws -> [String] {
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

  @Test func `every code block names its language`() throws {
    for (name, page) in try Self.pages() {
      for block in try Self.blocks(of: page) {
        #expect(["swift", "json", "sh", "text"].contains(block.language), "\(name): “\(block.language)”: \(block.text)")
      }
    }
  }

  @Test func `every snippet file has a page`() throws {
    let pages = try Self.pages()
    for folder in [Self.here, Self.kit] {
      for name in try Self.files(in: folder, endingIn: "swift").keys where name != "SnippetTests" {
        #expect(pages[name] != nil, "there is no page \(name)")
      }
    }
  }
}

extension String {
  /// The string without indentation and empty lines.
  fileprivate var squeezed: String {
    split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
