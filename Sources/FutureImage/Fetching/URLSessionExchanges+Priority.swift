#if canImport(CoreGraphics) || canImport(FoundationNetworking)
#if !canImport(CoreGraphics)
import FoundationNetworking
#endif

extension URLSessionExchanges {
  /// Runs the exchange at the priority of the task that awaits it. If the system reports that the task's priority has been raised in the
  /// meantime, the priority that the session sends to the server is raised, too.
  func runWithPriority(_ exchange: URLSessionExchange) async throws {
    exchange.setPriority(Task.currentPriority)
    guard #available(iOS 26, macOS 26, tvOS 26, visionOS 26, macCatalyst 26, *) else { return try await run(exchange) }
    try await withTaskPriorityEscalationHandler {
      try await self.run(exchange)
    } onPriorityEscalated: { _, new in
      exchange.setPriority(new)
    }
  }
}

extension TaskPriority {
  /// The nearest of URLSession's three priorities.
  var forURLSession: Float {
    if self >= .high { return URLSessionTask.highPriority }
    return self < .medium ? URLSessionTask.lowPriority : URLSessionTask.defaultPriority
  }
}
#endif
