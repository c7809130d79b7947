import Foundation
import Testing

/// A trait that runs a test several times in one process, each time with a new instance of the suite.
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
  /// A trait that repeats a test in deep runs, whose environment has the variable `FUTUREIMAGE_DEEP`: 1,000 times, or only 50 times under a
  /// sanitizer, because a sanitizer makes tests slower. In all other runs, the test runs once.
  static var repeatedInDeepRuns: Self {
    let isDeep = ProcessInfo.processInfo.environment["FUTUREIMAGE_DEEP"] != nil
    let isSanitized = ["__asan_init", "__tsan_init"].contains { (symbol: String) in dlsym(dlopen(nil, RTLD_NOW), symbol) != nil }
    return Repetition(count: isDeep ? (isSanitized ? 50 : 1_000) : 1)
  }
}
