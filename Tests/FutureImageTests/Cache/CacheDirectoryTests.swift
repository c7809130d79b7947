import Testing

@testable import FutureImageCache

/// The names are fixed, because with others, a new version of the library would not find the stored values.
@Suite(.timeLimit(.minutes(5))) struct CacheDirectoryTests {
  @Test(arguments: ["feeds", "a b-c_1", "09", "__", String(repeating: "n", count: 64)])
  func `a plain name of a cache is part of its directory's name`(name: String) {
    #expect(CacheDirectory.name(for: name) == "Cache \(name)")
  }

  @Test(arguments: ["", "Feeds", "0", "0-0 0", " - ", "é", "a.b", String(repeating: "n", count: 65)])
  func `a digest isCurrent for any other name of a cache`(name: String) {
    #expect(CacheDirectory.name(for: name).hasPrefix("Cache-"))
    #expect(CacheDirectory.name(for: name).utf8.count == 6 + 64)
  }

  @Test func `the directory of originals has a name that no variant's directory has`() {
    #expect(CacheDirectory.name(ofVariant: "") == "original")
    #expect(CacheDirectory.name(ofVariant: "original").hasPrefix("format-"))
  }
}
