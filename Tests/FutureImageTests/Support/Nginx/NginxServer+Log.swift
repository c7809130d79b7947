#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImage

@testable import FutureImageTesting

extension NginxServer {
  /// A request that the server has answered.
  struct Request: Sendable {
    /// Begins each line that tells of a request.
    static let mark = "@"

    /// Tells connections apart.
    let connection: Int
    /// Such as `HTTP/2.0`.
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

  /// What nginx writes, line by line, read by a thread of its own.
  final class Log: Sendable {
    private struct State {
      var requests: [Request] = []
      var lines: [String] = []
      var hasStarted = false
      var hasEnded = false
    }

    private let state = Observed(State())
    private let change = NSCondition()

    /// Those of which the log was written, which is shortly after their end: wait for the last one first.
    var requests: [Request] { state.read(\.requests) }

    /// Everything but the requests.
    var lines: [String] { state.read(\.lines) }

    func waitForRequests(_ count: Int) async {
      await state.wait { $0.requests.count >= count }
    }

    /// Returns when so many different paths were asked for.
    func waitForPaths(_ count: Int) async {
      await state.wait { Set($0.requests.map(\.path)).count >= count }
    }

    func waitForRequest(_ path: String) async {
      await state.wait { $0.requests.contains { $0.path == path } }
    }

    /// Whether the server listens; blocks until that is known.
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
        tell { $0.hasEnded = true }
      }
    }

    private func add(_ line: Substring) {
      if let request = Request(line) { return state.update { $0.requests.append(request) } }
      tell { state in
        state.lines.append(String(line))
        // nginx tells of the system it runs on when all its ports are open.
        if line.contains(" OS: ") { state.hasStarted = true }
        if line.contains("[emerg]") { state.hasEnded = true }
      }
    }

    private func tell(_ body: (inout State) -> Void) {
      change.lock()
      state.update(body)
      change.broadcast()
      change.unlock()
    }
  }
}
#endif
