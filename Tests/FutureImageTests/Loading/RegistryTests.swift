import Testing

@testable import FutureImage

/// The loader's table of pictures. A picture is the object that all futures of one key share.
@Suite(.timeLimit(.minutes(5))) struct RegistryTests {
  @Test func `if there are more pictures than the limit, the least recently used pictures that are not in use are removed`() {
    var registry = Registry(limit: 2)
    let pictures = ["a", "b", "c", "d"].map { registry.picture(SourceKey($0)) }
    for picture in pictures {
      // A picture whose image was replaced is remembered.
      picture.generation = 1
      registry.dropIfUnused(picture)
    }
    // A picture is in use while a memory tier is being changed.
    pictures[0].notes.memoryChanges = 1
    #expect(registry.dropOldest().map(\.key) == ["b"])
    #expect(registry["a"] === pictures[0] && registry["b"] == nil)
    pictures[0].notes.memoryChanges = 0
    registry.dropIfUnused(pictures[0])
    #expect(registry.dropOldest().map(\.key) == ["c"])
    #expect(registry.count == 2)
  }
}
