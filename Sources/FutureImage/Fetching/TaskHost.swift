/// A fetcher with a thread of its own that also runs the tasks which wait for it.
///
/// What such a task does between its exchanges holds up others, as `receive` does: it must be short, and none of the app's own code but
/// what is said to be quick.
protocol TaskHost: FutureImage.Fetcher {
  func makeTask(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}
