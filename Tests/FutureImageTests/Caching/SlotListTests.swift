import Testing

@testable import FutureImage

@Suite struct SlotListTests {
  @Test func `keeps the order in which elements were appended and moved`() {
    var list = SlotList<String>()
    let slots = ["a", "b", "c", "d"].map { list.append($0) }
    list.moveToBack(slots[1])
    list.moveToFront(slots[2])
    #expect(Array(list) == ["c", "a", "d", "b"])
    #expect(list.front == slots[2])
    #expect(list.remove(slots[0]) == "a")
    #expect(Array(list) == ["c", "d", "b"])
    #expect(list[slots[3]] == "d")
  }

  @Test func `emptied slots are used again before new ones are made`() {
    var list = SlotList<Int>()
    var slots = (0..<5).map { list.append($0) }
    for round in 1...4 {
      for slot in slots { #expect(list.remove(slot) / 10 == round - 1) }
      #expect(list.front == nil)
      slots = (0..<5).map { list.append(round * 10 + $0) }
      #expect(Set(slots) == Set(0..<5))
    }
    #expect(Array(list) == [40, 41, 42, 43, 44])
  }
}
