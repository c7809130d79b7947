import FutureImage

extension FutureImage.Loader {
  /// Returns when the loader is settled, or throws when it is not within the limit: for a test whose requests are held longer than it
  /// meant to, which would wait for ever.
  /// - Throws: ``WaitTimedOut``, which says what is still under way, and `CancellationError`.
  public func settled(within limit: WaitLimit, fileID: StaticString = #fileID, line: UInt = #line) async throws {
    let (caller, isSettled) = (TaskIdentity.current, Observed(false))
    // It outlives a wait that reaches its limit, until the loader is settled after all.
    _ = Scheduling.task("a wait for a settled loader") { [self] in
      await settled(besides: caller)
      isSettled.update { $0 = true }
    }
    try await isSettled.wait(within: limit, at: CallSite(fileID, line), "for the loader to be settled") {
      $0
    } insteadOf: { _ in
      unsettled
    }
  }
}
