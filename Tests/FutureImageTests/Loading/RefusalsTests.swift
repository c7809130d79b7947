import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct RefusalsTests {
  private let key = SourceKey("a")

  private func refusal(_ status: Int) -> Refusals.Refusal { Refusals.Refusal(passing: FutureImage.Failure(.status(status))) }

  @Test func `a refusal that is removed by its number leaves a newer one of the key`() throws {
    var refusals = Refusals()
    refusals.insert(refusal(404), of: key)
    let first = try #require(refusals.refusal(of: key))
    refusals.insert(refusal(410), of: key)
    refusals.remove(key, number: first.number)
    let second = try #require(refusals.refusal(of: key))
    #expect(second.refusal.failure.reason == .status(410))
    refusals.remove(key, number: second.number)
    #expect(!refusals.contains(key))
    #expect(refusals.count == 0)
  }

  @Test func `a refusal that is removed without a number is gone, and others stay`() {
    var refusals = Refusals()
    for key in [key, SourceKey("b")] { refusals.insert(refusal(404), of: key) }
    refusals.remove(key)
    #expect(!refusals.contains(key))
    #expect(refusals.contains(SourceKey("b")))
  }

  @Test func `a failure that may pass never holds`() {
    #expect(!refusal(503).holds)
  }
}
