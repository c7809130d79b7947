import FutureImage

/// An event that happens many times. Each occurrence ends one wait.
final class Signals: Sendable {
  private let state = Lock((count: 0, waiters: [CheckedContinuation<Void, Never>]()))

  func send() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiters.isEmpty {
        state.count += 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    waiter?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let hasOccurred = state.withLock { state in
        if state.count > 0 {
          state.count -= 1
          return true
        }
        state.waiters.append(continuation)
        return false
      }
      if hasOccurred { continuation.resume() }
    }
  }
}
