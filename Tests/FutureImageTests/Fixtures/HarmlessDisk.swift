import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Stores entries on a disk that refuses some of them. Expects that the cache returns every stored entry, that no half-written file
/// remains, and that a future still gets its image.
/// - Parameters:
///   - fault: the name of the fault in the table that the tests print.
///   - directory: the directory of the cache.
///   - code: the value of `errno` with which the disk refuses an entry.
func expectHarmless(_ fault: String, _ directory: URL, _ code: Int32, _ cache: FutureImage.DiskCache) async throws {
  var (refused, stored) = (0, 0)
  for number in 0..<30 {
    do {
      try await cache.store(FutureImage.CacheEntry(body: WholeBody.make(1000 + number)), forKey: "\(number)")
      stored += 1
    } catch let failure as FutureImage.FileFailure {
      #expect(failure.code == code, "\(failure)")
      refused += 1
    }
  }
  #expect(refused > 0)
  var served = 0
  for number in 0..<30 {
    guard let entry = try await cache.entry(forKey: "\(number)") else { continue }
    #expect(entry.body == WholeBody.make(1000 + number))
    served += 1
  }
  #expect(served == stored)
  let left = (FileManager.default.subpaths(atPath: directory.path) ?? []).filter { $0.contains(".futureimage-new-") }
  #expect(left.isEmpty)
  let fixture = LoaderFixture(disk: cache)
  let future = fixture.future()
  await fixture.serve("a", SampleImage.noise(300, 200))
  #expect(try await future.value.size.width == 300)
  #expect(fixture.loader.statistics.cacheFaults > 0)
  FaultTable.note(
    fault, "\(refused) stores refused and reported, \(served) of \(stored) stored entries returned, no half-written file left, image shown")
}
