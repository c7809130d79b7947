import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct SlotOrderTests {
  @Test func `slots are in the order in which they were appended, except slots that were moved to the front or the back`() {
    var order = SlotOrder()
    let slots = (0..<4).map { _ in order.append() }
    #expect(slots == [0, 1, 2, 3])
    order.moveToBack(1)
    order.moveToFront(2)
    #expect(Array(order) == [2, 0, 3, 1])
    #expect(order.front == 2)
    order.remove(0)
    #expect(Array(order) == [2, 3, 1])
    order.moveToFront(2)
    order.moveToBack(1)
    #expect(Array(order) == [2, 3, 1])
  }

  @Test func `removed slots are reused before new slots are created`() {
    var order = SlotOrder()
    var slots = (0..<5).map { _ in order.append() }
    for _ in 1...4 {
      for slot in slots { order.remove(slot) }
      #expect(order.front == nil)
      slots = (0..<5).map { _ in order.append() }
      #expect(Set(slots) == Set(0..<5))
    }
    #expect(Array(order) == slots)
  }
}
