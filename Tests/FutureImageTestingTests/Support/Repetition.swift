import Foundation
import Testing

/// Runs each test of a suite repeatedly in one process, each time with a new instance.
struct Repetition: SuiteTrait, TestTrait, TestScoping {
  let count: Int
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for _ in 0..<count { try await function() }
  }
}

extension Trait where Self == Repetition {
  /// Repeats a test a thousand times in a deep run (fifty times under a sanitizer, where everything takes longer), and otherwise runs it
  /// once.
  static var repeatedInDeepRuns: Self {
    let isDeep = ProcessInfo.processInfo.environment["FUTUREIMAGE_DEEP"] != nil
    let isSanitized = ["__asan_init", "__tsan_init"].contains { (symbol: String) in dlsym(nil, symbol) != nil }
    return Repetition(count: isDeep ? (isSanitized ? 50 : 1_000) : 1)
  }
}
