import Foundation

/// A real HTTP/1.1 server on 127.0.0.1 that misbehaves on request.
///
///     let server = try LoopbackServer()
///     server.answer("/red.jpg", .status(503), .ok(jpeg, contentType: "image/jpeg"))
///     let image = FutureImage(at: server.url("/red.jpg"))
///
/// It listens from its creation until `stop()` or its deinitialization. Each connection has its own thread, connections are kept alive, and
/// pipelined requests are answered in order. Request heads may have up to 64 KB. Request bodies need a `Content-Length` and may have up to
/// 64 MB.
///
/// All members may be used from any thread.
public final class LoopbackServer: Sendable {
  /// `http://127.0.0.1:` and the port that the system chose.
  public let baseURL: URL

  let core: Core

  /// - Parameter handler: a closure that answers requests for paths without a script. It runs on the connection's thread, which it may
  ///   block. Without a handler, these requests get 404. `stop()` releases the handler. A handler that captures the server keeps the server
  ///   running until then.
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
    // Unlike `stop()`, `deinit` does not wait, because any thread may release the last reference. The server's threads use only the core.
    core.stop()
  }

  /// Returns the URL of a path, with or without a query. The path does not need a script.
  public func url(_ path: String) -> URL {
    // The fallback is for text that is not valid in a URL. It escapes all of the text.
    URL(string: baseURL.absoluteString + (path.hasPrefix("/") ? path : "/" + path)) ?? baseURL.appendingPathComponent(path)
  }

  /// Sets the script of a path. The first request gets the first answer, the second request gets the second answer, and so on. The last
  /// answer repeats.
  ///
  /// A new script replaces the old script. An empty list of answers removes the script. The script of a path without a query also applies
  /// to all queries of the path, except for those that have their own script.
  public func answer(_ path: String, _ answers: Answer...) {
    answer(path, answers)
  }

  /// Sets the script of a path to the answers in an array.
  public func answer(_ path: String, _ answers: [Answer]) {
    core.state.update { $0.scripts[path] = Script(answers) }
  }

  /// Closes the port and every connection, including connections whose answers are held. Returns when their threads have ended.
  ///
  /// Waits for a running handler to return, unless a handler calls this method.
  public func stop() {
    core.stop()
    core.waitForThreads()
  }
}
