import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DeveloperWarningsTests {
  @Test func `one message is written for each name`() {
    let written = Lock<[String]>([])
    let warnings = DeveloperWarnings { text in written.withLock { $0.append(text) } }
    for name in ["a", "b", "a"] { warnings.report("mistake \(name)", once: name) }
    #expect(written.withLock { $0 } == ["mistake a", "mistake b"])
  }
}
