import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct FolderNamesTests {
  private let temporary: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
    for name in ["real", "other"] {
      try FileManager.default.createDirectory(at: temporary.file(name), withIntermediateDirectories: false)
    }
  }

  private func link(_ name: String, to target: String = "real") throws -> URL {
    let link = temporary.file(name)
    try? FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: temporary.file(target))
    return link
  }

  private func resolved(_ url: URL) -> String {
    let folder = FolderNames.plain(url.path)
    FolderNames.resolve(folder)
    return FolderNames.known(folder)
  }

  @Test(arguments: [
    ("/a/b", "/a/b"), ("/a//b/", "/a/b"), ("/a/./b/.", "/a/b"), ("/a/c/../b", "/a/b"), ("/../a", "/a"), ("/..a/b..", "/..a/b.."), ("/", "/")
  ])
  func `the plain form of a path has neither dot components nor doubled slashes`(path: String, expected: String) {
    #expect(FolderNames.plain(path) == expected)
  }

  @Test func `a folder that has not been resolved is known by its own path`() {
    #expect(FolderNames.known("/not/resolved") == "/not/resolved")
  }

  @Test func `a symbolic link is resolved even if it is followed by folders that do not exist yet`() throws {
    let real = resolved(temporary.file("real"))
    let link = try link("link")
    #expect(resolved(link) == real)
    #expect(resolved(link.appendingPathComponent("new/er")) == real + "/new/er")
  }

  @Test func `a folder is resolved only once, even if its link changes later`() throws {
    let first = resolved(try link("link"))
    #expect(first == resolved(temporary.file("real")))
    #expect(resolved(try link("link", to: "other")) == first)
  }

  @Test func `a disk cache recognizes the real folder behind its symbolic link after a read or a write`() throws {
    let entry = FutureImage.CacheEntry(body: Data([1]))
    let real = FutureImage.DiskCache(directory: temporary.file("real"))
    FolderNames.resolve(real.group)
    let (read, written) = (
      FutureImage.DiskCache(directory: try link("read")), FutureImage.DiskCache(directory: try link("written"))
    )
    for cache in [read, written] { #expect(!cache.fileLocation.isSamePlace(as: real.fileLocation)) }
    #expect(try read.waitForEntry(forKey: "k") == nil)
    try written.waitForStore(entry, forKey: "k")
    for cache in [read, written] { #expect(cache.fileLocation.isSamePlace(as: real.fileLocation)) }
  }

  @Test func `a file tier recognizes the real folder behind its symbolic link after a read`() throws {
    let real = FutureImage.FileTier(temporary.file("real/a.jpg"))
    FolderNames.resolve(real.group)
    let folder = try link("link")
    let tiers = ["a.jpg", "b.jpg"].map { FutureImage.FileTier(folder.appendingPathComponent($0)) }
    #expect(!tiers[0].fileLocation.isSamePlace(as: real.fileLocation))
    #expect(try tiers[0].waitForEntry(forKey: "k") == nil)
    #expect(tiers[0].fileLocation.isSamePlace(as: real.fileLocation))
    #expect(!tiers[1].fileLocation.isSamePlace(as: real.fileLocation))
  }

  @Test func `the number of recorded folders is limited`() {
    var names = FolderNames()
    for number in 0...FolderNames.limit { names["\(number)"] = "/real" }
    #expect(names.count == FolderNames.limit)
    #expect(names["0"] == nil)
    #expect(names["\(FolderNames.limit)"] == "/real")
  }
}
