import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct FIFOTests {
  @Test func `what goes in comes out in the same order, however much is in it`() {
    var random = SeededGenerator(seed: 3)
    var fifo = FIFO<Int>()
    var model: [Int] = []
    for number in 0..<20_000 {
      // By turns it grows to some thousands and is emptied.
      if Int.random(in: 0..<5, using: &random) < (number / 4_000 % 2 == 0 ? 4 : 1) {
        fifo.append(number)
        model.append(number)
      } else {
        #expect(fifo.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(fifo.count == model.count)
      #expect(fifo.isEmpty == model.isEmpty)
    }
  }

  @Test(arguments: [0, 1, 2, 1_000]) func `the first element goes to the end, and the others keep their order`(count: Int) {
    var fifo = FIFO<Int>()
    for number in 0..<count { fifo.append(number) }
    fifo.rotate()
    let elements = Array(sequence(state: fifo) { $0.popFirst() })
    #expect(elements == Array((0..<count).dropFirst()) + (0..<count).prefix(1))
  }

  @Test func `what was taken is let go`() {
    var fifo = FIFO<Signal>()
    weak var first: Signal?
    do {
      let signal = Signal()
      first = signal
      fifo.append(signal)
      fifo.append(Signal())
    }
    #expect(first != nil)
    _ = fifo.popFirst()
    #expect(first == nil)
  }
}
