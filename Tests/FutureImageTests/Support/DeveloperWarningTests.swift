import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DeveloperWarningTests {
  @Test func `a repeated mistake is reported once`() {
    let written = Lock<[String]>([])
    let warning = DeveloperWarning("a mistake") { text in written.withLock { $0.append(text) } }
    for _ in 0..<3 { warning.report() }
    #expect(written.withLock { $0 } == ["a mistake"])
  }
}
