import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DeveloperWarningsTests {
  @Test func `a message is written only once for each name`() {
    let written = Lock<[String]>([])
    let warnings = DeveloperWarnings { text in written.withLock { $0.append(text) } }
    for name in ["a", "b", "a"] { warnings.report("mistake \(name)", once: name) }
    #expect(written.withLock { $0 } == ["mistake a", "mistake b"])
  }

  @Test func `once the number of names reaches the limit, no message is written for another name`() {
    let count = Lock(0)
    let warnings = DeveloperWarnings { _ in count.withLock { $0 += 1 } }
    for number in 0...DeveloperWarnings.most { warnings.report("a mistake", once: "\(number)") }
    #expect(count.withLock { $0 } == DeveloperWarnings.most)
  }
}
