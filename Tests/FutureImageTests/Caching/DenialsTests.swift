import Testing

@testable import FutureImage

/// The failed writes that are reported. A denial is a failure for lack of permission, as on a locked device. A group is, for example, the
/// files of one folder.
@Suite(.timeLimit(.minutes(5))) struct DenialsTests {
  @Test func `further denied writes in a group are not reported until a store in the group succeeds`() {
    var denials = Denials()
    // Failures for other reasons are always reported.
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

  @Test func `the denials of at most 256 groups are recorded`() {
    var denials = Denials()
    for number in 0..<256 { #expect(denials.mustReportFailure(isDenial: true, of: "\(number)") == true) }
    // At the limit, all records are removed. Otherwise, each denied write of further groups would be reported.
    #expect(denials.mustReportFailure(isDenial: true, of: "0") == true)
    #expect(denials.mustReportFailure(isDenial: true, of: "0") == false)
    #expect(denials.mustReportFailure(isDenial: true, of: "1") == true)
  }
}
