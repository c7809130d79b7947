import Foundation
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FileSourceTests {
  private let folder: TemporaryDirectory
  private let file: URL
  private let cache: FutureImage.DiskCache

  init() throws {
    folder = try TemporaryDirectory()
    file = folder.file("a.jpg")
    cache = FutureImage.DiskCache(directory: folder.file("cache"))
    try SampleImage.jpeg(40, 30).write(to: file)
  }

  private func makeLoader() -> FutureImage.Loader {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = cache
    return FutureImage.Loader(configuration)
  }

  @Test func `the loader's disk cache stores no copy of a file`() async throws {
    let loader = makeLoader()
    let future = FutureImage(.file(file), loader: loader)
    _ = try await future.value
    await loader.waitForIdle()
    #expect(try await cache.entry(forKey: future.key) == nil)
  }

  @Test func `a disk tier that the policy names stores a copy of a file`() async throws {
    let loader = makeLoader()
    let copy = folder.file("copy.jpg")
    let future = FutureImage(.file(file), cachePolicy: .toDisk(path: copy), loader: loader)
    _ = try await future.value
    await loader.waitForIdle()
    #expect(try Data(contentsOf: copy) == Data(contentsOf: file))
  }

  @Test func `a file that has changed since the program was last run shows its new image`() async throws {
    let before = makeLoader()
    _ = try await FutureImage(.file(file), loader: before).value
    await before.waitForIdle()
    try SampleImage.jpeg(20, 10).write(to: file)
    let size = try await FutureImage(.file(file), loader: makeLoader()).value.size
    #expect(size == CGSize(width: 20, height: 10))
  }
}
