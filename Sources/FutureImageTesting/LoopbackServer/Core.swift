import Foundation
import FutureImage

extension LoopbackServer {
  /// The state that the server's threads share. The threads retain this object instead of the server, so the server can be released while
  /// they run.
  final class Core: Sendable {
    struct State: Sendable {
      var log = Log()
      var scripts: [String: Script] = [:]
      var isStopped = false
    }

    let state = Observed(State())
    /// A latch that is raised when the server stops.
    let stopping: Latch

    /// A struct around the closure. Without the struct, Swift adds a wrapper to the closure each time a generic lock passes it in or out,
    /// so the number of wrappers grows without limit.
    private struct Handler {
      let answer: @Sendable (Request) -> Answer
    }

    private let handler: Lock<Handler?>
    private let threads = Lock<Set<ObjectIdentifier>>([])
    private let running = DispatchGroup()

    init(stopping: Latch, handler: (@Sendable (Request) -> Answer)?) {
      self.stopping = stopping
      self.handler = Lock(handler.map(Handler.init))
    }

    func stop() {
      stopping.raise()
      state.update { $0.isStopped = true }
      // Take the handler inside the lock and release it outside, because it may have the last reference to objects whose `deinit` calls
      // this server.
      _ = handler.withLock { $0.take() }
    }

    /// Waits for the threads to end. If one of these threads calls this method, the method returns at once, because the thread would wait
    /// for itself.
    func waitForThreads() {
      let current = ObjectIdentifier(Thread.current)
      if !threads.withLock({ $0.contains(current) }) { running.wait() }
    }

    func answer(to request: Request) -> Answer {
      // Log the request and choose its answer in one step, so that the log has the same order as the script.
      let scripted = state.update { state in
        state.log.receive(request)
        return state.scripts[request.path]?.next() ?? state.scripts[request.barePath]?.next()
      }
      let handler = handler.withLock { $0 }
      return scripted ?? handler?.answer(request) ?? .status(404)
    }

    /// Serves connections until `stop()`, then closes the listener.
    func accept(from listener: Socket) {
      startThread { core in
        while listener.wait(for: .readable, or: [core.stopping]) == .ready {
          if let socket = listener.accept() {
            core.serve(socket)
          } else if errno == EMFILE || errno == ENFILE {
            // The connection stays in the backlog, so `poll` would return at once. Give other threads time to close their sockets.
            _ = listener.wait(for: .nothing, until: .now + .milliseconds(10), or: [core.stopping])
          }
        }
        listener.close()
      }
    }

    private func serve(_ socket: Socket) {
      socket.disableDelay()
      let number = state.update { $0.log.open() }
      startThread { core in
        Connection(socket, number: number, core: core).serve()
        core.state.update { $0.log.close() }
      }
    }

    private func startThread(_ body: @escaping @Sendable (Core) -> Void) {
      running.enter()
      let thread = Thread { [self] in
        let id = ObjectIdentifier(Thread.current)
        _ = threads.withLock { $0.insert(id) }
        body(self)
        _ = threads.withLock { $0.remove(id) }
        running.leave()
      }
      // The stack is small, because hundreds of threads may run at once. It is large enough for a handler that decodes or encodes an image.
      thread.stackSize = 512 << 10
      thread.start()
    }
  }
}
