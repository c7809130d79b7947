import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct ChangeWatchTests {
  @Test func `a reader learns of changes since it began, and of no others`() {
    var watch = ChangeWatch()
    watch.noteChange(of: "a")
    let early = watch.beginReading("a")
    #expect(watch.isUnchanged("a", since: early))
    watch.noteChange(of: "b")
    #expect(watch.isUnchanged("a", since: early))
    watch.noteChange(of: "a")
    #expect(!watch.isUnchanged("a", since: early))
    let late = watch.beginReading("a")
    #expect(watch.isUnchanged("a", since: late))
    watch.endReading("a")
    #expect(!watch.isUnchanged("a", since: early))
    watch.noteChangeOfAll()
    #expect(!watch.isUnchanged("a", since: late))
    watch.endReading("a")
    #expect(watch.isEmpty)
  }
}
