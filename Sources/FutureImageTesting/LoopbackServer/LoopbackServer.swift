import Foundation

/// A real HTTP/1.1 server on 127.0.0.1 that misbehaves on request.
///
///     let server = try LoopbackServer()
///     server.answer("/red.jpg", .status(503), .ok(jpeg, contentType: "image/jpeg"))
///     let image = FutureImage(at: server.url("/red.jpg"))
///
/// It listens from its creation until `stop()` or its deinitialization. Each connection has its own thread, connections are kept alive, and
/// pipelined requests are answered in order. Request heads may have up to 64 KB; bodies, with a `Content-Length`, up to 64 MB.
///
/// All members may be used from any thread.
public final class LoopbackServer: Sendable {
  /// `http://127.0.0.1:` and the port that the system chose.
  public let baseURL: URL

  let core: Core

  /// - Parameter handler: answers the paths without a script, on the connection's thread, which it may block. Without a handler, they get
  ///   404. `stop()` releases the handler; one that captures the server keeps it running until then.
  /// - Throws: `Failure` if the system has no socket left.
  public init(handler: (@Sendable (Request) -> Answer)? = nil) throws {
    let stopping = try Latch()
    let (listener, port) = try Socket.listening()
    guard let url = URL(string: "http://127.0.0.1:\(port)") else {
      listener.close()
      throw Failure(call: "URL", code: EINVAL)
    }
    baseURL = url
    core = Core(stopping: stopping, handler: handler)
    core.accept(from: listener)
  }

  deinit {
    // Does not wait, unlike `stop()`: any thread may release the last reference, and the threads no longer need the server.
    core.stop()
  }

  /// Returns the URL of a path, with or without a query. The path does not need a script.
  public func url(_ path: String) -> URL {
    // The fallback is for text that is not valid in a URL. It is escaped entirely.
    URL(string: baseURL.absoluteString + (path.hasPrefix("/") ? path : "/" + path)) ?? baseURL.appendingPathComponent(path)
  }

  /// Scripts a path: its first request gets the first answer, the next the second, and the last answer repeats.
  ///
  /// A new script replaces the old one; without answers, the script is removed. The script of a path without a query applies to all its
  /// queries, except those with a script of their own.
  public func answer(_ path: String, _ answers: Answer...) {
    answer(path, answers)
  }

  /// The same, with the answers in an array.
  public func answer(_ path: String, _ answers: [Answer]) {
    core.state.update { $0.scripts[path] = Script(answers) }
  }

  /// Closes the port and every connection, including those whose answers are held, and returns when their threads have ended.
  ///
  /// Waits for a running handler. Does not wait if a handler calls it.
  public func stop() {
    core.stop()
    core.waitForThreads()
  }
}
