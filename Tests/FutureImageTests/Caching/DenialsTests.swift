import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DenialsTests {
  @Test func `of denied writes, the first of each group is reported, and the first after something was stored`() {
    var denials = Denials()
    for _ in 0..<2 { #expect(denials.mustReportFailure(isDenial: false, of: "a") == true) }
    #expect(denials.mustReportFailure(isDenial: true, of: "a") == true)
    #expect(denials.mustReportFailure(isDenial: true, of: "a") == false)
    #expect(denials.mustReportFailure(isDenial: true, of: "b") == true)
    #expect(denials.mustReportFailure(isDenial: true, of: nil) == true)
    denials.noteStored(in: "a")
    #expect(denials.mustReportFailure(isDenial: true, of: "a") == true)
    #expect(denials.mustReportFailure(isDenial: true, of: "b") == false)
    #expect(denials.mustReportFailure(isDenial: true, of: nil) == false)
  }

  @Test func `at most 256 groups are remembered`() {
    var denials = Denials()
    for number in 0..<256 { #expect(denials.mustReportFailure(isDenial: true, of: "\(number)") == true) }
    // All of them are forgotten, so that none is reported for each write while there are more.
    #expect(denials.mustReportFailure(isDenial: true, of: "0") == true)
    #expect(denials.mustReportFailure(isDenial: true, of: "0") == false)
    #expect(denials.mustReportFailure(isDenial: true, of: "1") == true)
  }
}
