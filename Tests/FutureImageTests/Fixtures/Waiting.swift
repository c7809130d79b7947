import FutureImage
import FutureImageTesting
import Testing

// The waits of FutureImageTesting, for tests and helpers that do not throw. A wait that exceeds its limit records an issue. The limit is
// longer than any machine needs.

extension HeldFetcher {
  func waitForRequests(_ count: Int = 1, fileID: String = #fileID, line: Int = #line) async {
    await recording(fileID, line) { try await waitForRequests(count, within: .patient) }
  }

  func waitForHeld(_ count: Int = 1, fileID: String = #fileID, line: Int = #line) async {
    await recording(fileID, line) { try await waitForHeld(count, within: .patient) }
  }

  func waitForCancellations(_ count: Int = 1, fileID: String = #fileID, line: Int = #line) async {
    await recording(fileID, line) { try await waitForCancellations(count, within: .patient) }
  }
}

extension ManualClock {
  func waitForSleepers(_ count: Int = 1, fileID: String = #fileID, line: Int = #line) async {
    await recording(fileID, line) { try await waitForSleepers(count, within: .patient) }
  }
}

extension LoopbackServer {
  func waitForRequests(_ count: Int, path: String? = nil, fileID: String = #fileID, line: Int = #line) async {
    await recording(fileID, line) { try await waitForRequests(count, path: path, within: .patient) }
  }

  func waitForOpenConnections(_ count: Int, fileID: String = #fileID, line: Int = #line) async {
    await recording(fileID, line) { try await waitForOpenConnections(count, within: .patient) }
  }
}

extension LoopbackServer.Gate {
  func waitForArrival(count: Int = 1, fileID: String = #fileID, line: Int = #line) async {
    await recording(fileID, line) { try await waitForArrival(count: count, within: .patient) }
  }
}

/// Returns when the condition is true. Use this function only if there is no event to wait for.
///
/// The condition runs repeatedly on the caller's actor. Between the runs, the actor is free for other work.
func waitUntil(
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID, line: Int = #line, _ condition: () async -> Bool
) async {
  do { try await eventually(within: .patient, condition) } catch { record(error, fileID, line) }
}

/// Returns when the condition is false.
func waitWhile(
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID, line: Int = #line, _ condition: @autoclosure () -> Bool
) async {
  await waitUntil(fileID: fileID, line: line) {
    // A closure runs on the caller's actor only if the closure captures the actor (SE-0420).
    _ = isolation
    return !condition()
  }
}

extension FutureImage.Loader {
  /// Returns when the loader is idle. ``waitUntilIdle()`` alone has no limit, and ignores the cancellation of a test whose time limit has
  /// passed.
  func waitForIdle(fileID: StaticString = #fileID, line: UInt = #line) async {
    await recording("\(fileID)", Int(line)) { try await waitUntilIdle(within: .patient, fileID: fileID, line: line) }
  }
}

extension WaitLimit {
  /// A limit well below the time limit of the suites, so that a wait fails first, even in a test that starts late. The message of a suite's
  /// time limit says less than the error of a wait.
  fileprivate static let patient = WaitLimit.seconds(120)
}

private func recording(_ fileID: String, _ line: Int, _ wait: () async throws -> Void) async {
  do { try await wait() } catch { record(error, fileID, line) }
}

/// Records the error of a wait as an issue. A cancellation is not recorded, because the canceled test has already been reported.
private func record(_ error: any Error, _ fileID: String, _ line: Int) {
  if error is CancellationError { return }
  Issue.record(error, sourceLocation: SourceLocation(fileID: fileID, filePath: fileID, line: line, column: 1))
}
