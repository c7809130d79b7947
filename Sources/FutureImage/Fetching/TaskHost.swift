/// A fetcher with its own thread, which also runs the tasks that await the fetcher.
///
/// The work of such a task between its exchanges delays other exchanges, as `receive` does. It must be short, and must not run the app's
/// own code, except code that is documented to be quick.
protocol TaskHost: FutureImage.Fetcher {
  func makeTask(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}
