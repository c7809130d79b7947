import Foundation

/// A real HTTP/1.1 server on 127.0.0.1 that misbehaves on request.
///
///     let server = try LoopbackServer()
///     server.answer("/red.jpg", .status(503), .ok(jpeg, contentType: "image/jpeg"))
///     let image = FutureImage(at: server.url("/red.jpg"))
///
/// It listens from its creation until `stop()` or its end. Each connection has a thread of its own; connections are kept alive, and
/// pipelined requests are answered in order. Request heads may have 64 KB, bodies 64 MB with a `Content-Length`.
///
/// All members may be used from any thread.
public final class LoopbackServer: Sendable {
  /// `http://127.0.0.1:` and the port that the system chose.
  public let baseURL: URL

  let core: Core

  /// - Parameter handler: answers the paths that have no script, on the connection's thread, where it may block. Without one they
  ///   get 404. It is let go by `stop()`; a handler that captures the server keeps it running until then.
  /// - Throws: `Failure` when the system has no socket left.
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
    // Without waiting, unlike `stop()`: the last reference may go anywhere, and the threads need nothing of the server any more.
    core.stop()
  }

  /// The URL of a path, with or without query. It need not be scripted.
  public func url(_ path: String) -> URL {
    // The fallback is for text that no URL can hold; it is escaped whole.
    URL(string: baseURL.absoluteString + (path.hasPrefix("/") ? path : "/" + path)) ?? baseURL.appendingPathComponent(path)
  }

  /// Scripts a path: its first request gets the first answer, the next the second, and the last answer is repeated.
  ///
  /// A new script takes the place of the old one; without answers the path has none again. A script of a path without query is
  /// for all its queries, except those that are scripted themselves.
  public func answer(_ path: String, _ answers: Answer...) {
    answer(path, answers)
  }

  /// The same, with the answers in an array.
  public func answer(_ path: String, _ answers: [Answer]) {
    core.state.update { $0.scripts[path] = Script(answers) }
  }

  /// Closes the port and every connection, those included whose answers are held, and returns when their threads have ended.
  ///
  /// A handler that is running is waited for. Called by a handler, it does not wait.
  public func stop() {
    core.stop()
    core.waitForThreads()
  }
}
