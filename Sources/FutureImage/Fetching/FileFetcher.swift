extension FutureImage {
  /// A fetcher that reads `file:` URLs in pieces of 256 KiB, on its own queue, so that neither the main thread nor Swift's own threads wait
  /// for a disk.
  ///
  /// At most eight files are open at a time, across all file fetchers. Further files wait until an open file has been read. If the process
  /// has no descriptor left, the failure is transient.
  ///
  /// Symbolic links are followed. Anything but a regular file, such as a folder, a pipe, or a device, immediately fails with `.unreadable`.
  /// A file outside of the roots fails with `.refused`. Cancellation takes effect between two pieces. The request's headers and timeouts
  /// have no effect.
  struct FileFetcher: Fetcher {
    /// The queue has few threads, because more readers make a disk slower.
    private static let queue: OperationQueue = {
      let queue = OperationQueue()
      queue.name = "FutureImage.files"
      queue.maxConcurrentOperationCount = 4
      return queue
    }()

    private static let pieceSize = 256 << 10

    /// Limits the number of open files. Otherwise, thousands of files could be opened before the first is read, and no descriptors would be
    /// left for connections and caches. The limit is twice the number of threads, so that a thread has another file to read while a task
    /// requests its next piece.
    private static let openFiles = AsyncSemaphore(limit: 8)

    private let roots: [URL]?

    /// Creates a fetcher that reads only files in these folders, or any file if `roots` is nil.
    init(roots: [URL]? = nil) {
      self.roots = roots
    }

    func fetch(_ request: Request, receive: @escaping Receive) async throws {
      let path = try Self.path(of: request.url)
      try Task.checkCancellation()
      try await Self.openFiles.withRoom { try await read(path, receive) }
    }

    private func read(_ path: String, _ receive: Receive) async throws {
      let file = try await Self.onQueue { [roots] in try ReadableFile(try AllowedFile.path(path, in: roots)) }
      try Task.checkCancellation()
      try receive(.response(Response(status: 200, expectedBytes: file.size)))
      var left = file.size
      while left > 0 {
        let count = min(left, Self.pieceSize)
        let piece = try await Self.onQueue { try file.read(count) }
        try Task.checkCancellation()
        guard !piece.isEmpty else { throw Failure(.transport(.truncated)) }
        left -= piece.count
        try receive(.bytes(piece))
      }
    }

    private static func path(of url: URL) throws -> String {
      guard url.isFileURL else { throw Failure(.refused("it is not a file URL; check it")) }
      let host = url.host(percentEncoded: false) ?? ""
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw Failure(.refused("its file is on another computer; copy it to this one"))
      }
      let path = url.path(percentEncoded: false)
      // The system would read the path only up to the zero byte.
      guard !path.utf8.contains(0) else { throw Failure(.refused("its path has a zero byte; remove it")) }
      return path
    }

    private static func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
      try await handedOver { end in queue.addOperation { end(Result(catching: work)) } }.get()
    }
  }
}
