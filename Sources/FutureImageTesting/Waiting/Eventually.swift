import FutureImage

/// Returns when the condition holds. Use it if a test cannot wait for an event, for example if it waits for a view model's property.
///
///     try await eventually("the title is there") { model.title == "Red" }
///
/// The condition runs on the caller's actor, again and again until it holds. Between two checks, the actor is free for other work.
/// - Parameters:
///   - what: a description of the condition, for the error. It is evaluated after the limit has passed, so it may contain the final value.
///   - limit: the maximum duration of the wait. After the limit, the condition is checked once more.
///   - isolation: the caller's actor, on which the condition runs.
///   - fileID: the file named in the error.
///   - line: the line named in the error.
///   - condition: the condition to wait for.
/// - Throws: ``WaitTimedOut`` if the condition does not hold within the limit, `CancellationError`, and any error of the condition.
public func eventually(
  _ what: @autoclosure () -> String = "the condition holds", within limit: WaitLimit = .standard,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  _ condition: () async throws -> Bool
) async throws {
  if try await condition() { return }
  let hasEnded = Observed(false)
  let timeout = limit.timeout { hasEnded.update { $0 = true } }
  defer { timeout.cancel() }
  var rounds = 0
  while true {
    // Read the flag before the condition, so that the condition is checked once more after the limit has passed.
    let isLast = hasEnded.read { $0 }
    if try await condition() { return }
    guard !isLast else {
      let state = "The condition was checked \(rounds + 2) times."
      throw WaitTimedOut(limit, at: CallSite(fileID, line), for: "until \(what())", insteadOf: state)
    }
    rounds += 1
    // Most conditions need only a few turns of an actor. Longer waits must not occupy a processor.
    if rounds < 200 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
    try Task.checkCancellation()
  }
}

extension FutureImage.Loader {
  /// Returns when the loader is idle, or throws if it is not idle within the limit. Use it in a test that may hold requests longer than
  /// intended, because such a test would otherwise wait forever.
  /// - Throws: ``WaitTimedOut``, which describes the work still under way, and `CancellationError`.
  public func waitUntilIdle(within limit: WaitLimit, fileID: StaticString = #fileID, line: UInt = #line) async throws {
    let isSettled = Observed(false)
    // If the wait reaches its limit, this task continues until the loader is idle.
    _ = Scheduling.task("a wait for an idle loader") { [self] in
      await waitUntilIdle()
      isSettled.update { $0 = true }
    }
    try await isSettled.wait(LimitedWait(limit, CallSite(fileID, line), "for the loader to be idle")) {
      $0
    } insteadOf: { _ in
      unsettled
    }
  }
}
