#if !canImport(CoreGraphics)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Programs that end while a ``FutureImage/CurlFetcher`` works. With `FUTUREIMAGE_DEEP` and without a sanitizer, the first test runs a
/// thousand programs.
@Suite(.serialized, .tags(.threads), .timeLimit(.minutes(30)), .enabled(if: NginxServer.isInstalled, "nginx and openssl are not installed"))
struct CurlExitTests {
  static func fetcher(_ authority: String = "") -> FutureImage.CurlFetcher {
    let file = authority.isEmpty ? nil : URL(fileURLWithPath: authority)
    return FutureImage.CurlFetcher(.init(version: .http1, proxy: .none, certificateAuthorities: file))
  }

  /// Initializes OpenSSL before a fetcher does, as a program may do. OpenSSL then cleans itself up at the end of the program.
  static func initializeOpenSSL() throws {
    let symbol = try #require(dlsym(nil, "OPENSSL_init_crypto"))
    // The function is called as in `ProgramEnd`, but without options.
    #expect(unsafeBitCast(symbol, to: (@convention(c) (UInt64, OpaquePointer?) -> Int32).self)(0, nil) == 1)
  }

  /// Starts 24 HTTPS exchanges that repeat endlessly, and returns when the event with the given number occurs. The start of an exchange and
  /// each call of `receive` are events.
  static func endAmidExchanges(_ address: String, _ authority: String, event: Int) async throws {
    let url = try #require(URL(string: address))
    let (events, isReached) = (Lock(0), Signal())
    let note: @Sendable () -> Void = {
      let count = events.withLock { count in
        count += 1
        return count
      }
      if count >= event { isReached.send() }
    }
    // Each exchange has its own fetcher, and therefore its own handshake.
    for _ in 0..<24 {
      Task.detached {
        while true {
          note()
          try await fetcher(authority).fetch(FutureImage.Request(url: url)) { _ in note() }
        }
      }
    }
    await isReached.wait()
  }

  @Test(arguments: [false, true])
  func `a program that ends while HTTPS images load exits successfully`(usesOpenSSL: Bool) async throws {
    let nginx = try NginxServer(serving: Scratch.folder(), upstream: nil)
    let (address, authority) = (nginx.url("a", over: .https1).absoluteString, nginx.authority.authority.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<2 {
        group.addTask {
          for round in 0..<(isDeep && !isSanitized ? 250 : 20) {
            let event = (round * 2 + worker) % 150 + 1
            await #expect(processExitsWith: .success) {
              [address = address as String, authority = authority as String, event = event as Int, usesOpenSSL = usesOpenSSL as Bool] in
              if usesOpenSSL { try CurlExitTests.initializeOpenSSL() }
              try await CurlExitTests.endAmidExchanges(address, authority, event: event)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Whether OpenSSL can still be used. After its cleanup, it cannot be initialized again.
  static var isOpenSSLUsable: Bool {
    guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return true }
    // The function is called as in `ProgramEnd`, but without options.
    return unsafeBitCast(symbol, to: (@convention(c) (UInt64, OpaquePointer?) -> Int32).self)(0, nil) == 1
  }

  @Test func `if only the fetcher has initialized OpenSSL, OpenSSL is still usable at the end of the program`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let address = server.url("/a").absoluteString
    await #expect(processExitsWith: .success) { [address = address as String] in
      // Runs after a handler of OpenSSL, because the handler that was registered last runs first.
      atexit { if !CurlExitTests.isOpenSSLUsable { _exit(3) } }
      let url = try #require(URL(string: address))
      try await CurlExitTests.fetcher().fetch(FutureImage.Request(url: url)) { _ in }
    }
  }

  @Test func `a program ends although a fetcher's thread is blocked forever`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let address = server.url("/a").absoluteString
    await #expect(processExitsWith: .success) { [address = address as String] in
      let (url, isHeld) = (try #require(URL(string: address)), Signal())
      Task.detached {
        try await CurlExitTests.fetcher().fetch(FutureImage.Request(url: url)) { _ in
          isHeld.send()
          while true { sleep(1_000) }
        }
      }
      await isHeld.wait()
    }
  }

  /// The time at which the program requested its end, in nanoseconds of uptime, and the file to which it writes how long the end took.
  static let ending = Lock((began: UInt64(0), file: ""))

  /// Before it ends, the program waits a tenth of a second for all threads together. The shortest of three runs counts, because the machine
  /// may be busy.
  @Test func `a program ends within a second although the threads of many fetchers are blocked forever`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let folder = try TemporaryDirectory()
    let (address, path) = (server.url("/a").absoluteString, folder.file("seconds").path)
    var seconds: [Double] = []
    while seconds.count < 3, seconds.allSatisfy({ $0 >= 1 }) {
      await #expect(processExitsWith: .success) { [address = address as String, path = path as String] in
        // Runs after the handlers that the fetchers register, because the handler that was registered last runs first.
        atexit {
          let (began, file) = CurlExitTests.ending.withLock { $0 }
          let seconds = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
          _ = FileManager.default.createFile(atPath: file, contents: Data("\(seconds)".utf8))
        }
        let (url, held, areHeld) = (try #require(URL(string: address)), Lock(0), Signal())
        for _ in 0..<20 {
          Task.detached {
            try await CurlExitTests.fetcher().fetch(FutureImage.Request(url: url)) { _ in
              let areAll = held.withLock { count in
                count += 1
                return count == 20
              }
              if areAll { areHeld.send() }
              while true { sleep(1_000) }
            }
          }
        }
        await areHeld.wait()
        CurlExitTests.ending.withLock { $0 = (DispatchTime.now().uptimeNanoseconds, path) }
      }
      seconds.append(try #require(Double(String(contentsOfFile: path, encoding: .utf8))))
    }
    #expect(seconds.contains { $0 < 1 }, "\(seconds) s")
  }

  @Test func `a program that calls exit on a fetcher's own thread ends with its exit code`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let address = server.url("/a").absoluteString
    await #expect(processExitsWith: .exitCode(3)) { [address = address as String] in
      let url = try #require(URL(string: address))
      try await CurlExitTests.fetcher().fetch(FutureImage.Request(url: url)) { _ in exit(3) }
    }
  }
}
#endif
