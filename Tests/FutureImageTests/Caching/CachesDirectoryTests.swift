import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct CachesDirectoryTests {
  private let temporary: TemporaryDirectory
  private let root: URL

  init() throws {
    temporary = try TemporaryDirectory()
    root = temporary.url.appendingPathComponent("caches", isDirectory: true)
    try FileManager.default.createDirectory(at: root.appendingPathComponent("inside"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: temporary.url.appendingPathComponent("caches-not"), withIntermediateDirectories: true)
  }

  @Test(arguments: [
    ("a.jpg", "a.jpg"), ("a/b/c.jpg", "a/b/c.jpg"), ("./a//b/./c.jpg", "a/b/c.jpg"), ("..a/b..", "..a/b.."), ("~/a", "~/a"),
    ("a%2Fb", "a%2Fb"),
    ("...", "..."), ("a b/é.jpg", "a b/é.jpg"), ("a?b#c", "a?b#c")
  ])
  func `a path beneath the caches directory is accepted`(path: String, expected: String) throws {
    let file = try CachesDirectory.file(path, under: root)
    #expect(file.path == root.path + "/" + expected)
    #expect(!file.hasDirectoryPath)
  }

  /// The combining mark U+0301 and the slash before it are a single `Character`, so a search for the character "/" would miss this slash.
  @Test(arguments: [
    "", ".", "..", "/", "/etc/passwd", "../a", "a/../../b", "a/..", "a/../b", "a/", "a/.", "a\0b", "\0", "a//", "../\u{301}a",
    "a/../\u{301}",
    "/\u{301}a"
  ])
  func `a path that could lead outside the caches directory or names no file is refused`(path: String) {
    let failure = #expect(throws: FutureImage.FileFailure.self) { try CachesDirectory.file(path, under: root) }
    #expect(failure?.path == path)
    guard case .refused = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `a symbolic link is followed only if its target is inside the caches directory`() throws {
    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: root.path + "/" + name, withDestinationPath: target)
    }
    try link("out", to: "..")
    try link("sibling", to: "../caches-not")
    try link("dangling", to: "../nothing")
    try link("loop", to: "loop")
    try link("self", to: ".")
    try link("fine", to: "inside")
    try link("chain", to: "fine/../../caches-not")
    for name in ["out", "sibling", "dangling", "loop", "chain"] {
      #expect(throws: FutureImage.FileFailure.self, "\(name)") { try CachesDirectory.file(name + "/a.jpg", under: root) }
    }
    for path in ["fine/a.jpg", "self/a.jpg"] { #expect(try CachesDirectory.file(path, under: root).path == root.path + "/" + path) }
    #expect(throws: FutureImage.FileFailure.self) { try CachesDirectory.file("fine/../out/a.jpg", under: root) }
  }

  @Test func `the caches directory may be a symbolic link or may be missing`() throws {
    let alias = temporary.file("alias")
    try FileManager.default.createSymbolicLink(at: alias, withDestinationURL: root)
    try FileManager.default.createSymbolicLink(atPath: root.path + "/fine", withDestinationPath: "inside")
    #expect(try CachesDirectory.file("fine/a", under: alias).path == alias.path + "/fine/a")
    #expect(try CachesDirectory.file("a/b", under: temporary.file("missing")).path == temporary.url.path + "/missing/a/b")
  }
}
