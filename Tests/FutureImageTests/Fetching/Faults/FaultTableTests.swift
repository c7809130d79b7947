import Foundation
import Testing

@testable import FutureImage

/// Whatever a server, a network, or a caller does, a future ends once, in time, and with the right result, and nothing damaged is stored.
@Suite(.serialized, .tags(.threads), .timeLimit(.minutes(10))) struct FaultTableTests {
  @Test func `the table of faults lists every numbered case exactly once`() {
    #expect(FaultCase.all.map(\.number) == Array(1...53))
  }

  private static let issues = Lock(0)

  @Test(
    .compactMapIssues { issue in
      issues.withLock { $0 += 1 }
      return issue
    }, arguments: HTTPBackend.all)
  func `every fault ends in time with the expected outcome`(backend: HTTPBackend) async throws {
    var rows: [String] = []
    var met = 0
    for fault in FaultCase.all {
      if let obstacle = fault.obstacle(for: backend) {
        rows.append(row(fault, "not run: \(obstacle)", nil))
        continue
      }
      let start = ContinuousClock.now
      let before = Self.issues.withLock { $0 }
      do {
        let outcome = try await within(fault.deadline) { try await fault.play(FaultScene(backend)) }
        if outcome == nil { Issue.record("\(fault.number), \(fault.name): did not end in \(fault.deadline)") }
        rows.append(row(fault, outcome ?? "did not end", start.duration(to: .now)))
      } catch {
        Issue.record(error, "\(fault.number), \(fault.name)")
        rows.append(row(fault, "\(error)", start.duration(to: .now)))
      }
      if Self.issues.withLock({ $0 }) == before { met += 1 }
    }
    print((["\(backend): faults and their outcomes"] + rows + ["\(met) of \(FaultCase.all.count)"]).joined(separator: "\n"))
  }

  private func row(_ fault: FaultCase, _ outcome: String, _ time: Duration?) -> String {
    let number = String(repeating: " ", count: fault.number < 10 ? 1 : 0) + "\(fault.number)"
    let name = fault.name.padding(toLength: 44, withPad: " ", startingAt: 0)
    return "\(number)  \(name)  \(time.map { "\($0.milliseconds) ms".leftPadded(8) } ?? "       –")  \(outcome)"
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}

extension String {
  fileprivate func leftPadded(_ count: Int) -> String { String(repeating: " ", count: max(0, count - self.count)) + self }
}
