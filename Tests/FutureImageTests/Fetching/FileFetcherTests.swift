import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) final class FileFetcherTests {
  private let fetcher = FutureImage.FileFetcher()
  private let folder: URL

  init() throws {
    folder = URL.temporaryDirectory.appending(path: "FileFetcherTests-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func file(_ name: String, _ data: Data) throws -> URL {
    let url = folder.appending(path: name)
    try data.write(to: url)
    return url
  }

  @Test(arguments: [0, 1, 262_144, 262_145, 1_000_000])
  func `the size of a file is reported first, and then all of its bytes arrive in pieces`(size: Int) async throws {
    let url = try file("a b%20ü.png", .pattern(size))
    let pieces = Lock([Int]())
    try await fetcher.fetch(FutureImage.Request(url: url)) { event in
      if case .bytes(let data) = event { pieces.withLock { $0.append(data.count) } }
    }
    let collected = try await fetcher.collect(url)
    #expect(collected.responses.map(\.status) == [200])
    #expect(collected.response?.expectedBytes == size)
    #expect(collected.body == .pattern(size))
    #expect(collected.early == 0)
    #expect(pieces.withLock { $0.allSatisfy { (1...262_144).contains($0) } && $0.count == (size + 262_143) / 262_144 })
  }

  @Test func `a symbolic link is followed`() async throws {
    let link = folder.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file("a", Data([1, 2])))
    #expect(try await fetcher.collect(link).body == Data([1, 2]))
  }

  @Test func `a path that does not exist or is not a regular file is unreadable`() async throws {
    #expect(await fetcher.reason(folder.appending(path: "missing"))?.isUnreadable == true)
    #expect(await fetcher.reason(folder)?.isUnreadable == true)
    #expect(await fetcher.reason(URL(filePath: "/dev/zero"))?.isUnreadable == true)
    #expect(try await fetcher.reason(file("a", Data([1])).appending(path: "b"))?.isUnreadable == true)
  }

  @Test func `a pipe without a writer is unreadable and does not block`() async throws {
    let pipe = folder.appending(path: "pipe")
    #expect(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
    #expect(await fetcher.reason(pipe)?.isUnreadable == true)
  }

  @Test(arguments: ["http://localhost/a", "file://elsewhere/etc/hosts", "file:///etc/hosts%00.png"])
  func `a URL that names no local file is refused`(text: String) async throws {
    #expect(try await fetcher.reason(#require(URL(string: text)))?.isRefused == true)
  }

  @Test func `a file that shrinks while it is read fails as truncated`() async throws {
    let url = try file("a", .pattern(1_000_000))
    await #expect(throws: FutureImage.Failure(.transport(.truncated))) {
      try await fetcher.fetch(FutureImage.Request(url: url)) { event in
        if case .response = event { try Data([1]).write(to: url, options: []) }
      }
    }
  }

  @Test func `cancellation ends a fetch between two pieces`() async throws {
    let url = try file("a", .pattern(1_000_000))
    let received = Lock(0)
    let fetcher = fetcher
    let task = Task {
      try await fetcher.fetch(FutureImage.Request(url: url)) { event in
        guard case .bytes(let data) = event else { return }
        received.withLock { $0 += data.count }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(received.withLock { $0 } == 262_144)
  }

  @Test func `a task that is already canceled does not open the file`() async throws {
    let (fetcher, missing) = (fetcher, folder.appending(path: "missing"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await fetcher.fetch(FutureImage.Request(url: missing)) { _ in }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `an error that the receiving closure throws is rethrown`() async throws {
    struct Enough: Error {}
    let url = try file("a", .pattern(10))
    await #expect(throws: Enough.self) { try await fetcher.fetch(FutureImage.Request(url: url)) { _ in throw Enough() } }
  }

  @Test(.timeLimit(.minutes(5))) func `at most eight of two thousand concurrently fetched files are open at a time`() async throws {
    let url = try file("a", .pattern(300_000))
    let fetcher = fetcher
    let open = Lock((now: 0, most: 0))
    let read = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<2_000 {
        group.addTask {
          let count = Lock(0)
          try await fetcher.fetch(FutureImage.Request(url: url)) { event in
            switch event {
            case .response: open.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            case .bytes(let data): count.withLock { $0 += data.count }
            }
            if count.withLock({ $0 }) == 300_000 { open.withLock { $0.now -= 1 } }
          }
          return count.withLock { $0 }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(read == 2_000 * 300_000)
    #expect(open.withLock { $0.most } <= 8)
  }

  @Test(.timeLimit(.minutes(5))) func `a fetch that is canceled while it waits to open a file does not block other fetches`() async throws {
    let url = try file("a", .pattern(300_000))
    let fetcher = fetcher
    let tasks = (0..<200).map { _ in Task { try await fetcher.collect(url).body.count } }
    for task in tasks[20...] { task.cancel() }
    for task in tasks[..<20] { #expect(try await task.value == 300_000) }
    #expect(try await fetcher.collect(url).body.count == 300_000)
  }

  @Test(arguments: [EMFILE, ENFILE]) func `a lack of descriptors is a transient failure that names its cause`(error: Int32) {
    let failure = FutureImage.Failure(reading: error)
    #expect(failure.isTransient)
    #expect(failure.description.contains("too many files"))
  }

  @Test func `a file error other than a lack of descriptors is a permanent failure`() {
    #expect(!FutureImage.Failure(reading: EACCES).isTransient)
    let missing = FutureImage.Failure.Reason.unreadable("there is no such file; check its path (No such file or directory, error 2)")
    #expect(FutureImage.Failure(reading: ENOENT).reason == missing)
  }

  @Test func `a hundred concurrently fetched files arrive whole`() async throws {
    let url = try file("a", .pattern(600_000))
    let fetcher = fetcher
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { try await fetcher.collect(url).body.count } }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(sizes == [600_000])
  }
}
