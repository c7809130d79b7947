import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct ThreadTimeTests {
  @Test func `the measured processor time of a thread counts from the start of the measurement, and only grows`() {
    let first = ThreadTime()
    var used = Duration.zero
    var (readings, isGrowing) = (0, true)
    while used < .milliseconds(5) && readings < 1_000_000 || readings < 10_000 {
      let now = first.used
      isGrowing = isGrowing && now >= used
      (readings, used) = (readings + 1, now)
    }
    #expect(isGrowing)
    #expect(used >= .milliseconds(5))
    // The second measurement gives the shorter time, because it is read first, and because it began later.
    let second = ThreadTime()
    let (shorter, longer) = (second.used, first.used)
    #expect(shorter < longer)
  }
}
