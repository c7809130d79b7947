import Testing

@testable import FutureImageCache

/// The names of directories must not change, because a new version of the library would not find the values stored under other names.
@Suite(.timeLimit(.minutes(5))) struct CacheDirectoryTests {
  @Test(arguments: ["feeds", "a b-c_1", "09", "__", String(repeating: "n", count: 64)])
  func `the name of a cache's directory contains the name of the cache if that name is simple`(name: String) {
    #expect(CacheDirectory.name(for: name) == "Cache \(name)")
  }

  @Test(arguments: ["", "Feeds", "0", "0-0 0", " - ", "é", "a.b", String(repeating: "n", count: 65)])
  func `the name of a cache's directory contains a digest if the name of the cache is not simple`(name: String) {
    #expect(CacheDirectory.name(for: name).hasPrefix("Cache-"))
    // The digest is written as 64 hexadecimal digits.
    #expect(CacheDirectory.name(for: name).utf8.count == "Cache-".utf8.count + 64)
  }

  @Test func `the directory of originals has a name that no variant's directory has`() {
    #expect(CacheDirectory.name(ofVariant: "") == "original")
    #expect(CacheDirectory.name(ofVariant: "original").hasPrefix("format-"))
  }
}
