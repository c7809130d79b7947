import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct ArrivedBytesTests {
  @Test func `pixels have room up to the limit, until they are released`() {
    let arrived = ArrivedBytes(limit: 100)
    var first = arrived.share(of: 60)
    let second = arrived.share(of: 40)
    #expect(first != nil && second != nil)
    #expect(arrived.share(of: 1) == nil)
    #expect(arrived.count == 100)
    first = nil
    #expect(arrived.count == 40)
    #expect(arrived.share(of: 61) == nil)
    #expect(arrived.share(of: 60) != nil)
    withExtendedLifetime(second) {}
  }

  @Test func `pixels beyond the limit have room while no others are counted`() {
    let arrived = ArrivedBytes(limit: 100)
    var large = arrived.share(of: 300)
    #expect(large != nil)
    #expect(arrived.share(of: 1) == nil)
    large = nil
    #expect(arrived.count == 0)
    #expect(arrived.share(of: 1) != nil)
  }
}
