#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Few descriptors, or none.
@Suite(.timeLimit(.minutes(5))) struct CurlDescriptorTests {
  /// Sets the limit on descriptors to so many.
  static func limitDescriptors(_ count: Int) throws {
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: 1_024)
    try #require(setrlimit(__rlimit_resource_t(7), &limit) == 0)  // RLIMIT_NOFILE
  }

  static func descriptor() -> Int32 { open("/", O_RDONLY | O_CLOEXEC) }

  @Test func `1,000 hosts are fetched from with 64 descriptors`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let port = try #require(server.baseURL.port)
    await #expect(processExitsWith: .success) { [port = port as Int] in
      try CurlDescriptorTests.limitDescriptors(64)
      let fetcher = FutureImage.CurlFetcher(.init(proxy: .none))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<1_000 {
          group.addTask {
            // Names that end in "localhost" are this computer's; to libcurl each is a host of its own.
            let url = try #require(URL(string: "http://h\(number).localhost:\(port)/a"))
            guard try await fetcher.collect(url).body == Data([1]) else { throw URLError(.cannotParseResponse) }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `a thread that cannot be woken looks for itself`() async throws {
    let server = try LoopbackServer { _ in .ok(Data([1])) }
    let address = server.url("/a").absoluteString
    await #expect(processExitsWith: .success) { [address = address as String] in
      let url = try #require(URL(string: address))
      // What libcurl wakes its thread by is made with the thread.
      let engine = CurlEngine(.init(proxy: .none))
      let top = CurlDescriptorTests.descriptor()
      try CurlDescriptorTests.limitDescriptors(Int(top))
      close(top)
      var held: [Int32] = []
      while case let file = CurlDescriptorTests.descriptor(), file >= 0 { held.append(file) }
      // A task on the thread, which is there after it.
      await Task(executorPreference: engine) {}.value
      for file in held { close(file) }
      try CurlDescriptorTests.limitDescriptors(64)
      for _ in 0..<3 {
        try await engine.run(CurlExchange(FutureImage.Request(url: url), lines: []), receive: { _ in })
      }
    }
  }
}
#endif
