import FutureImage
import FutureImageTesting

extension HeldFetcher {
  /// Returns when the given number of requests are held, or the task is canceled.
  func waitForHeld(_ count: Int = 1) async {
    do { try await waitForHeld(count, within: WaitLimit(.seconds(1_000_000_000), clock: SimulatedClock())) } catch is CancellationError {
    } catch {
      simulator.stuck("\(error)")
    }
  }
}

extension FutureImage.Loader {
  /// Returns when the loader is idle. The simulation ends a run that takes too long.
  func waitForIdle() async { await waitUntilIdle() }
}
