import Foundation
import Testing

/// Runs each test of a suite again and again in one process, each time with an instance of its own.
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
  /// A thousand times in a deep run, and once in any other. Under a sanitizer fifty times, because everything takes longer.
  static var repeatedInDeepRuns: Self {
    let isDeep = ProcessInfo.processInfo.environment["FUTUREIMAGE_DEEP"] != nil
    let isSanitized = ["__asan_init", "__tsan_init"].contains { (symbol: String) in dlsym(nil, symbol) != nil }
    return Repetition(count: isDeep ? (isSanitized ? 50 : 1_000) : 1)
  }
}
