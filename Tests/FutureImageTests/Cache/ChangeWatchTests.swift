import Testing

@testable import FutureImageCache

@Suite(.timeLimit(.minutes(5))) struct ChangeWatchTests {
  @Test func `a read detects only changes to its own key that happen after the read began`() {
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
    watch.endReading("a")
    #expect(watch.isEmpty)
  }

  @Test func `reads of a key before and during a removal of all values have different change numbers`() {
    var watch = ChangeWatch()
    let before = watch.beginReading("a")
    watch.beginRemovalOfAll()
    let during = watch.beginReading("a")
    #expect(during != before)
  }

  @Test func `a value counts as changed if its read begins before or during a removal of all values`() {
    var watch = ChangeWatch()
    let before = watch.beginReading("a")
    watch.beginRemovalOfAll()
    let during = watch.beginReading("b")
    #expect(!watch.isUnchanged("a", since: before))
    #expect(!watch.isUnchanged("b", since: during))
    watch.beginRemovalOfAll()
    watch.endRemovalOfAll()
    #expect(!watch.isUnchanged("b", since: watch.changes(of: "b")))
    watch.endRemovalOfAll()
    #expect(!watch.isUnchanged("b", since: during))
    #expect(watch.isUnchanged("b", since: watch.changes(of: "b")))
    watch.endReading("a")
    watch.endReading("b")
    #expect(watch.isEmpty)
  }
}
