import FutureImage

extension FutureImage.Loader {
  /// Returns when the loader is settled, or throws if it is not within the limit. Use it in a test that may hold requests longer than
  /// intended, and would otherwise wait forever.
  /// - Throws: ``WaitTimedOut``, which describes the work still under way, and `CancellationError`.
  public func settled(within limit: WaitLimit, fileID: StaticString = #fileID, line: UInt = #line) async throws {
    let isSettled = Observed(false)
    // This task outlives a wait that reaches its limit, until the loader is settled.
    _ = Scheduling.task("a wait for a settled loader") { [self] in
      await settled()
      isSettled.update { $0 = true }
    }
    try await isSettled.wait(within: limit, at: CallSite(fileID, line), "for the loader to be settled") {
      $0
    } insteadOf: { _ in
      unsettled
    }
  }
}
