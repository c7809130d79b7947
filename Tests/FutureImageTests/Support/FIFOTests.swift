import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct FIFOTests {
  @Test func `elements are removed in the order in which they were added, even among thousands`() {
    var random = SeededGenerator(seed: 3)
    var fifo = FIFO<Int>()
    var model: [Int] = []
    for number in 0..<20_000 {
      // The queue alternately grows to some thousands of elements and becomes empty.
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

  @Test func `an element that was removed is released`() {
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
