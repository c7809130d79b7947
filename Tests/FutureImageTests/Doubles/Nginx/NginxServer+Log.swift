#if !canImport(CoreGraphics)
import Foundation
import FutureImage

@testable import FutureImageTesting

extension NginxServer {
  /// A request that the server has answered.
  struct Request: Sendable {
    /// The first word of each line about a request.
    static let mark = "@"

    /// The number of the connection.
    let connection: Int
    /// The version of HTTP, such as `HTTP/2.0`.
    let version: String
    let status: Int
    let bodyBytes: Int
    let range: String
    let coding: String
    let path: String

    init?(_ line: Substring) {
      let words = line.split(separator: " ")
      guard words.count == 8, words[0] == Self.mark, let connection = Int(words[1]), let status = Int(words[3]),
        let bodyBytes = Int(words[4])
      else { return nil }
      self.connection = connection
      version = String(words[2])
      self.status = status
      self.bodyBytes = bodyBytes
      range = words[5].trimmingCharacters(in: ["\""])
      coding = words[6].trimmingCharacters(in: ["\""])
      path = String(words[7])
    }
  }

  /// The output of nginx, read line by line on a separate thread.
  final class Log: Sendable {
    private struct State {
      var requests: [Request] = []
      var lines: [String] = []
      var hasStarted = false
      var hasEnded = false
    }

    private let state = Observed(State())
    private let change = NSCondition()

    /// The requests in the log. nginx logs a request shortly after its end, so wait for the last request first.
    var requests: [Request] { state.read(\.requests) }

    /// All lines except those of requests.
    var lines: [String] { state.read(\.lines) }

    func waitForRequests(_ count: Int) async {
      await state.wait { $0.requests.count >= count }
    }

    /// Returns when the given number of different paths have been requested.
    func waitForPaths(_ count: Int) async {
      await state.wait { Set($0.requests.map(\.path)).count >= count }
    }

    func waitForRequest(_ path: String) async {
      await state.wait { $0.requests.contains { $0.path == path } }
    }

    /// Blocks until the server listens or has failed to start, and returns whether it listens.
    func waitForStart() -> Bool {
      change.lock()
      defer { change.unlock() }
      while !state.read({ $0.hasStarted || $0.hasEnded }) { change.wait() }
      return state.read(\.hasStarted)
    }

    func read(_ output: FileHandle) {
      state.update { $0.hasEnded = false }
      Thread.detachNewThread { [self] in
        var rest = ""
        while case let data = output.availableData, !data.isEmpty {
          var lines = (rest + String(decoding: data, as: UTF8.self)).split(separator: "\n", omittingEmptySubsequences: false)
          rest = lines.popLast().map(String.init) ?? ""
          lines.forEach(add)
        }
        updateAndNotify { $0.hasEnded = true }
      }
    }

    private func add(_ line: Substring) {
      if let request = Request(line) { return state.update { $0.requests.append(request) } }
      updateAndNotify { state in
        state.lines.append(String(line))
        // nginx logs its operating system when all its ports are open.
        if line.contains(" OS: ") { state.hasStarted = true }
        if line.contains("[emerg]") { state.hasEnded = true }
      }
    }

    private func updateAndNotify(_ body: (inout State) -> Void) {
      change.lock()
      state.update(body)
      change.broadcast()
      change.unlock()
    }
  }
}
#endif
