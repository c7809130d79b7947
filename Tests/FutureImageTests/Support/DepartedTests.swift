import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DepartedTests {
  @Test(arguments: [false, true])
  func `objects that move to another owner are released together with the objects that the new owner already had`(hasOthers: Bool) {
    weak var object: Signal?
    weak var value: Signal?
    weak var otherObject: Signal?
    weak var otherValue: Signal?
    var (source, target) = (Departed(), Departed())
    do {
      let signals = (0..<4).map { _ in Signal() }
      object = signals[0]
      source.add(object: signals[0])
      value = signals[1]
      source.add(signals[1])
      if hasOthers {
        otherObject = signals[2]
        target.add(object: signals[2])
        otherValue = signals[3]
        target.add(signals[3])
      }
    }
    source.move(to: &target)
    #expect(object != nil && value != nil)
    #expect((otherObject != nil) == hasOthers && (otherValue != nil) == hasOthers)
    target = Departed()
    #expect(object == nil && value == nil)
    #expect(otherObject == nil && otherValue == nil)
    withExtendedLifetime((source, target)) {}
  }
}
