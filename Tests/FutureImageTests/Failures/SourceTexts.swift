import Foundation

/// The texts in the library's source files, for tests that check that none is missing.
enum SourceTexts {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  /// False on a device, which has no sources.
  static let areHere = FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path)

  /// The contents of the files under a folder of the package.
  static func files(in folder: String, endingIn suffix: String) throws -> [(name: String, text: String)] {
    let base = root.appendingPathComponent(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: base.path).sorted().filter { $0.hasSuffix(suffix) }.map { name in
      (name, try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8))
    }
  }

  /// The text without lines of comments, whose examples are not the library's errors.
  static func code(of text: String) -> String {
    text.split(separator: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(separator: "\n")
  }

  /// The names of the enumeration cases that a file of Sources declares.
  static func cases(in file: String) throws -> [String] {
    let text = try String(contentsOf: root.appendingPathComponent("Sources/" + file), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      // A declaration, not a pattern of a switch.
      line.firstMatch(of: /^ +case ([a-zA-Z]+)(\([^:]*(: Int)?\))?$/).map { String($0.output.1) }
    }
  }

  /// The details of the reasons that a file throws: the literals in `.refused("…")` and similar calls, split at their interpolations.
  static func details(in text: String) throws -> [[String]] {
    let names = "refused|malformed|unreadable|undecodable|unsupported|transformFailed|tooManyPixels|other|notAFile"
    let details = try Regex(#"(?:\.(?:\#(names))|failure)\(\s*"((?:[^"\\]|\\.)*)""#, as: (Substring, Substring).self)
    return text.matches(of: details).map { constantParts(of: String($0.output.1)) }
  }

  /// The parts of a literal between its interpolations. Interpolations must not contain strings.
  private static func constantParts(of literal: String) -> [String] {
    var parts = [""]
    var depth = 0
    var isEscaped = false
    for character in literal {
      if depth > 0 {
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
      } else if isEscaped {
        isEscaped = false
        if character == "(" {
          depth = 1
          parts.append("")
        } else {
          parts[parts.count - 1].append(character)
        }
      } else if character == "\\" {
        isEscaped = true
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.filter { !$0.isEmpty }
  }
}
