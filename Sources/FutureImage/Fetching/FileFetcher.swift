extension FutureImage {
  /// Reads `file:` URLs in pieces of 256 KiB, on its own queue: neither the main thread nor Swift's own threads wait for a disk.
  ///
  /// At most eight files are open at a time, across all fetchers; further files wait until one has been read. If the process has no
  /// descriptor left, the failure is a transient one.
  ///
  /// Symbolic links are followed. Anything but a regular file (a folder, a pipe, a device) is `.unreadable`, without a wait. Cancellation
  /// takes effect between two pieces. The request's headers and timeouts have no effect. A file outside of the roots is `.refused`.
  struct FileFetcher: Fetcher {
    /// Few threads: more readers make a disk slower, not faster.
    private static let queue: OperationQueue = {
      let queue = OperationQueue()
      queue.name = "FutureImage.files"
      queue.maxConcurrentOperationCount = 4
      return queue
    }()

    private static let pieceSize = 256 << 10

    /// Slightly more than the threads, so that a thread need not wait for a task to request its next piece.
    private static let openFiles = OpenFiles(limit: 8)

    private let roots: FileRoots

    /// Creates a fetcher that reads only files in these folders.
    init(roots: FileRoots = .anywhere) {
      self.roots = roots
    }

    func fetch(_ request: Request, receive: @escaping Receive) async throws {
      let path = try Self.path(of: request.url)
      try Task.checkCancellation()
      try await Self.openFiles.withRoom { try await read(path, receive) }
    }

    private func read(_ path: String, _ receive: Receive) async throws {
      let file = try await Self.onQueue { [roots] in try ReadableFile(try roots.allowed(path)) }
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
