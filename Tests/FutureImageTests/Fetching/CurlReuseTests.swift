#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

/// Idle connections to which their servers write, or which their servers end.
@Suite(.serialized, .tags(.threads), .timeLimit(.minutes(5))) struct CurlReuseTests {
  private let fetcher = FutureImage.CurlFetcher(FutureImage.CurlFetcher.Configuration(proxy: .none))
  private let rounds = 50

  private func text(_ server: RawServer, _ path: String) async throws -> String {
    String(decoding: try await fetcher.collect(server.url.appending(path: path)).body, as: UTF8.self)
  }

  @Test(.timeLimit(.minutes(5)))
  func `an exchange does not get an unsolicited response that its connection received while idle`() async throws {
    let sent = Signals()
    let server = try RawServer { connection in
      while let head = connection.readHead() {
        connection.answer(head.path)
        // This response may arrive before or after the client has read the first response.
        connection.answer("unasked")
        sent.send()
      }
    }
    var wrong: [String] = []
    for round in 0..<rounds {
      let body = try await text(server, "\(round)")
      if body != "/\(round)" { wrong.append(body) }
      await sent.wait()
    }
    #expect(wrong.isEmpty)
  }

  @Test(.timeLimit(.minutes(5))) func `an exchange does not get an unsolicited response that was sent after the previous exchange ended`()
    async throws
  {
    let (ask, sent) = (DispatchSemaphore(value: 0), Signals())
    let server = try RawServer { connection in
      while let head = connection.readHead() {
        connection.answer(head.path)
        ask.wait()
        connection.answer("unasked")
        sent.send()
      }
    }
    var wrong: [String] = []
    for round in 0..<rounds {
      let body = try await text(server, "\(round)")
      if body != "/\(round)" { wrong.append(body) }
      ask.signal()
      await sent.wait()
    }
    #expect(wrong.isEmpty)
  }

  @Test(.timeLimit(.minutes(5))) func `an idle connection without unread bytes is reused`() async throws {
    let server = try RawServer { connection in
      while let head = connection.readHead() { connection.answer(head.path) }
    }
    for round in 0..<rounds { #expect(try await text(server, "\(round)") == "/\(round)") }
    #expect(server.connectionCount == 1)
  }

  @Test(.timeLimit(.minutes(5)), arguments: Ending.allCases)
  fileprivate func `an exchange succeeds if the server ends the connection that the exchange reuses`(ending: Ending) async throws {
    let server = try RawServer { connection in
      guard let head = connection.readHead() else { return }
      connection.answer(head.path)
      switch ending {
      case .close: break
      case .reset: connection.reset()
      case .closeUpon:
        _ = connection.readHead()
      case .resetUpon:
        _ = connection.readHead()
        connection.reset()
      case .timeout: connection.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
      case .timeoutUpon: connection.timeOut()
      }
    }
    var failures: [String] = []
    for round in 0..<rounds {
      do {
        let collected = try await fetcher.collect(server.url.appending(path: "\(round)"))
        if collected.body != Data("/\(round)".utf8) { failures.append("\(collected.response?.status ?? 0)") }
      } catch {
        failures.append("\(error)")
      }
    }
    #expect(failures.isEmpty)
  }

  @Test(.timeLimit(.minutes(5))) func `concurrent exchanges succeed if the server ends all connections that they reuse`() async throws {
    let server = try RawServer { connection in
      guard let head = connection.readHead() else { return }
      connection.answer(head.path)
      _ = connection.readHead()
      connection.reset()
    }
    let (fetcher, url) = (fetcher, server.url)
    var failures: [String] = []
    for round in 0..<10 {
      // libcurl tries an exchange several times by itself. There are so many idle connections that each try can use a connection that the
      // server ends.
      await withTaskGroup(of: String?.self) { group in
        for index in 0..<12 {
          group.addTask {
            do {
              let body = try await fetcher.collect(url.appending(path: "\(round)-\(index)")).body
              return body == Data("/\(round)-\(index)".utf8) ? nil : "another body"
            } catch {
              return "\(error)"
            }
          }
        }
        for await failure in group { if let failure { failures.append(failure) } }
      }
    }
    #expect(failures.isEmpty)
  }

  @Test(.timeLimit(.minutes(5))) func `a connection that replaced a timed-out connection is reused`() async throws {
    let server = try RawServer { connection in
      if connection.number == 0 {
        guard let head = connection.readHead() else { return }
        connection.answer(head.path)
        return connection.timeOut()
      }
      while let head = connection.readHead() { connection.answer(head.path) }
    }
    for round in 0..<4 { #expect(try await text(server, "\(round)") == "/\(round)") }
    #expect(server.connectionCount == 2)
  }

  // The second exchange reuses the connection of the failed first exchange, but has a new handle.
  @Test(.timeLimit(.minutes(5)))
  func `an exchange with a new handle sends its request again if its reused connection has timed out`() async throws {
    let server = try RawServer { connection in
      if connection.number == 0 {
        guard connection.readHead() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi")
        return connection.timeOut()
      }
      while let head = connection.readHead() { connection.answer(head.path) }
    }
    #expect(await fetcher.reason(server.url.appending(path: "broken"))?.isMalformed == true)
    #expect(try await text(server, "next") == "/next")
  }

  /// The way in which the server ends a connection. The server ends it directly after the first response, or, if the name of the case ends
  /// in `Upon`, when the next request arrives.
  enum Ending: CaseIterable, Sendable {
    case close, reset, closeUpon, resetUpon, timeout, timeoutUpon
  }
}

extension RawConnection {
  /// Answers the next request with the status 408.
  fileprivate func timeOut() {
    _ = readHead()
    write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
  }
}

extension String {
  /// The path in the first line of a request.
  fileprivate var path: String { split(separator: " ").dropFirst().first.map(String.init) ?? "" }
}
#endif
