import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FileTierTests {
  private typealias Entry = FutureImage.CacheEntry
  private let temporary: TemporaryDirectory

  init() throws { temporary = try TemporaryDirectory() }

  private func throwsNotAFile(_ call: () async throws -> Void) async -> Bool {
    do {
      try await call()
      return false
    } catch let failure as FutureImage.FileFailure {
      if case .notAFile = failure.reason { return true }
      return false
    } catch {
      return false
    }
  }

  @Test func `a file tier writes only the body to its file, and returns an entry without validators`() async throws {
    let file = temporary.file("a/b/cover.jpg")
    let tier = FutureImage.FileTier(file)
    #expect(try await tier.entry(forKey: "k") == nil)
    try await tier.store(Entry(body: Data("body".utf8), eTag: "e", lastModified: "l", freshUntil: .distantFuture), forKey: "k")
    #expect(try Data(contentsOf: file) == Data("body".utf8))
    #expect(try await tier.entry(forKey: "another") == Entry(body: Data("body".utf8)))
    try await tier.store(Entry(body: Data("new".utf8)), forKey: "k")
    #expect(try await FutureImage.FileTier(file).entry(forKey: "k")?.body == Data("new".utf8))
    #expect(temporary.files() == ["a/b/cover.jpg"])
  }

  @Test func `a file that the app wrote is a hit, and an empty file is a miss`() async throws {
    try Data("put".utf8).write(to: temporary.file("put"))
    try Data().write(to: temporary.file("empty"))
    #expect(try await FutureImage.FileTier(temporary.file("put")).entry(forKey: "k")?.body == Data("put".utf8))
    #expect(try await FutureImage.FileTier(temporary.file("empty")).entry(forKey: "k") == nil)
  }

  @Test func `a removal deletes the file, and succeeds if there is no file`() async throws {
    let tier = FutureImage.FileTier(temporary.file("f"))
    try await tier.store(Entry(body: Data("x".utf8)), forKey: "k")
    try await tier.remove(forKey: "k")
    try await tier.remove(forKey: "k")
    #expect(temporary.files().isEmpty)
  }

  @Test func `a directory or a symbolic link at the tier's path is reported and not changed`() async throws {
    let directory = temporary.file("directory")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    let target = temporary.file("target")
    try Data("target".utf8).write(to: target)
    let link = temporary.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    for file in [directory, link] {
      let tier = FutureImage.FileTier(file)
      #expect(await throwsNotAFile { _ = try await tier.entry(forKey: "k") })
      #expect(await throwsNotAFile { try await tier.store(Entry(body: Data("x".utf8)), forKey: "k") })
      #expect(await throwsNotAFile { try await tier.remove(forKey: "k") })
    }
    #expect(temporary.files() == ["link", "target"])
    #expect(try Data(contentsOf: target) == Data("target".utf8))
  }

  @Test(arguments: [FaultyFileSystem.Call.openNew, .write, .close, .move])
  func `a failed store leaves the old file and no other file`(call: FaultyFileSystem.Call) async throws {
    let files = FaultyFileSystem()
    let tier = FutureImage.FileTier(temporary.file("f"), files: files)
    try await tier.store(Entry(body: Data("old".utf8)), forKey: "k")
    files.fail(call, with: ENOSPC)
    await #expect(throws: FutureImage.FileFailure.self) { try await tier.store(Entry(body: Data("new".utf8)), forKey: "k") }
    files.fail(call, with: nil)
    #expect(try await tier.entry(forKey: "k")?.body == Data("old".utf8))
    #expect(temporary.files() == ["f"])
  }

  @Test func `a file over the limit is refused without being read`() async throws {
    try Data(count: 11).write(to: temporary.file("f"))
    let files = FaultyFileSystem()
    let tier = FutureImage.FileTier(temporary.file("f"), maxBytes: 10, files: files)
    await #expect(throws: FutureImage.FileFailure(.tooLarge(bytes: 11, limit: 10), path: temporary.file("f").path)) {
      _ = try await tier.entry(forKey: "k")
    }
    #expect(!files.calls.contains(.read))
  }

  @Test func `a file as large as the limit is a hit`() async throws {
    try Data(count: 10).write(to: temporary.file("f"))
    #expect(try await FutureImage.FileTier(temporary.file("f"), maxBytes: 10).entry(forKey: "k")?.body == Data(count: 10))
  }

  @Test func `reads during writes never return a partly written file`() async throws {
    let file = temporary.file("f")
    try await FutureImage.FileTier(file).store(Entry(body: Data(repeating: 0, count: 20_000)), forKey: "k")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer: UInt8 in 1...4 {
        group.addTask {
          for _ in 0..<50 {
            try await FutureImage.FileTier(file).store(Entry(body: Data(repeating: writer, count: 20_000 + Int(writer))), forKey: "k")
          }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            let body = try #require(try await FutureImage.FileTier(file).entry(forKey: "k")).body
            #expect(body == Data(repeating: body[0], count: 20_000 + Int(body[0])))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(temporary.files() == ["f"])
  }

  @Test func `the first store in a folder removes old half-written files, but neither recent ones nor other files`() async throws {
    let (old, recent) = (temporary.file(DiskCacheName.temporary()), temporary.file(DiskCacheName.temporary()))
    for file in [old, recent, temporary.file("mine")] { try Data("half".utf8).write(to: file) }
    for file in [old, temporary.file("mine")] { try POSIXFileSystem().setModified(file.path, Date() - 7200) }
    try await FutureImage.FileTier(temporary.file("f")).store(Entry(body: Data("x".utf8)), forKey: "k")
    #expect(Set(temporary.files()) == ["f", "mine", recent.lastPathComponent])
  }

  @Test func `a store succeeds even if its folder is removed repeatedly during the store`() async throws {
    let files = FaultyFileSystem()
    let folder = temporary.url.appendingPathComponent("folder")
    let left = Lock(10)
    @Sendable func remove() {
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if !isLast { files.beforeMove(remove) }
      try? FileManager.default.removeItem(at: folder)
    }
    files.beforeMove(remove)
    let tier = FutureImage.FileTier(folder.appendingPathComponent("f"), files: files)
    try await tier.store(Entry(body: Data("x".utf8)), forKey: "k")
    #expect(left.withLock { $0 } == 0)
    #expect(temporary.files() == ["folder/f"])
  }

  @Test func `a store throws instead of retrying forever if no file can be created in its folder`() async throws {
    let files = FaultyFileSystem()
    files.fail(.openNew, with: ENOENT)
    let tier = FutureImage.FileTier(temporary.file("folder/f"), files: files)
    let failure = await #expect(throws: FutureImage.FileFailure.self) { try await tier.store(Entry(body: Data("x".utf8)), forKey: "k") }
    #expect(failure?.code == ENOENT)
  }

  @Test func `an old half-written file is removed even if nothing is stored in its folder`() async throws {
    let old = temporary.file(DiskCacheName.temporary())
    try Data("half".utf8).write(to: old)
    try POSIXFileSystem().setModified(old.path, Date() - 7200)
    #expect(try await FutureImage.FileTier(temporary.file("f")).entry(forKey: "k") == nil)
    await FutureImage.FileTier.swept()
    #expect(temporary.files().isEmpty)
  }

  @Test func `the removal of half-written files in a folder is due again after an hour`() {
    var sweeps = FolderSweeps()
    let start = ContinuousClock.now
    let due = [("a", 0), ("a", 3599), ("b", 3599), ("a", 3600)].map { sweeps.isDue($0, at: start + .seconds($1)) }
    #expect(due == [true, false, true, true])
  }

  @Test func `the last removal of half-written files is recorded for a limited number of folders`() {
    var sweeps = FolderSweeps()
    for number in 0..<10_000 { _ = sweeps.isDue("\(number)", at: .now) }
    #expect(sweeps.count == FolderSweeps.limit)
  }

  @Test func `every call for a path outside the caches directory throws and writes nothing`() async throws {
    let tier = FutureImage.FileTier(cachesPath: "../out", under: temporary.url.appendingPathComponent("caches"))
    await #expect(throws: FutureImage.FileFailure.self) { _ = try await tier.entry(forKey: "k") }
    await #expect(throws: FutureImage.FileFailure.self) { try await tier.store(Entry(body: Data("x".utf8)), forKey: "k") }
    await #expect(throws: FutureImage.FileFailure.self) { try await tier.remove(forKey: "k") }
    #expect(temporary.files().isEmpty)
    let inside = FutureImage.FileTier(cachesPath: "a/b.jpg", under: temporary.url.appendingPathComponent("caches"))
    try await inside.store(Entry(body: Data("x".utf8)), forKey: "k")
    #expect(temporary.files() == ["caches/a/b.jpg"])
  }

  @Test func `a URL that contains a zero byte or is not a file URL is refused`() async throws {
    for text in ["file://\(temporary.url.path)/a%00b", "https://example.com/a"] {
      let tier = FutureImage.FileTier(try #require(URL(string: text)))
      await #expect(throws: FutureImage.FileFailure.self) { try await tier.store(Entry(body: Data("x".utf8)), forKey: "k") }
    }
    #expect(temporary.files().isEmpty)
  }
}
