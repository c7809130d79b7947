import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A file that is not a whole entry of the current format version for its key counts as missing, and is removed.
@Suite(.tags(.threads), .timeLimit(.minutes(20))) struct DiskCacheDamageTests {
  private let fixture: DiskCacheFixture
  private let cache: FutureImage.DiskCache
  private let whole: Data

  private static let stored = FutureImage.CacheEntry(
    body: Data((0..<150).map { UInt8(truncatingIfNeeded: $0 &* 31) }), eTag: "\"e\"", lastModified: "then",
    receivedAt: .distantPast, freshUntil: .distantFuture
  ).thatMustBeRevalidated()

  init() async throws {
    fixture = try DiskCacheFixture()
    cache = fixture.cache()
    try await cache.store(Self.stored, forKey: "key")
    whole = try Data(contentsOf: fixture.file(ofKey: "key"))
    #expect(await cache.count() == 1)
    // After its first hit, a cache on Linux tries to read each entry in the calling task (`entryAtOnce`), and uses another thread only if
    // that fails. So this hit makes the tests cover both ways of reading.
    #expect(try await cache.entry(forKey: "key") == Self.stored)
  }

  private func expectMiss(_ file: Data, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try file.write(to: fixture.file(ofKey: "key"))
    #expect(try await cache.entry(forKey: "key") == nil, "\(what)", sourceLocation: sourceLocation)
    #expect(!fixture.exists(fixture.file(ofKey: "key")), "\(what)", sourceLocation: sourceLocation)
  }

  private func expectHit(_ file: Data) async throws {
    try file.write(to: fixture.file(ofKey: "key"))
    #expect(try await cache.entry(forKey: "key") == Self.stored)
  }

  @Test func `an undamaged file is a hit`() async throws {
    try await expectHit(whole)
  }

  @Test func `a file cut off at any length counts as missing and is removed`() async throws {
    for length in 0..<whole.count { try await expectMiss(whole.prefix(length), "\(length) bytes") }
    FaultTable.note("empty or short file, cut at each of \(whole.count) lengths", "a miss, removed")
  }

  @Test func `a file with any one bit flipped counts as missing and is removed`() async throws {
    for bit in 0..<whole.count * 8 {
      var file = whole
      file[bit / 8] ^= 1 << UInt8(bit % 8)
      try await expectMiss(file, "bit \(bit)")
    }
  }

  @Test func `none of ten thousand entries of random sizes is returned if one of its bits is flipped`() throws {
    let store = DiskCacheStore(
      directory: fixture.directory.path, limits: (1 << 30, nil), files: POSIXFileSystem(), now: { Date() })
    try #require(try store.entry(forKey: "key") != nil)
    var random = SeededGenerator(seed: 10_000)
    var served = 0
    for round in 0..<10_000 {
      let body = Data(repeating: UInt8(truncatingIfNeeded: round), count: Int.random(in: 0..<4000, using: &random))
      try store.store(FutureImage.CacheEntry(body: body, eTag: "e"), forKey: "key")
      let path = fixture.file(ofKey: "key").path
      var file = try Data(contentsOf: URL(fileURLWithPath: path))
      let bit = Int.random(in: 0..<file.count * 8, using: &random)
      file[bit / 8] ^= 1 << UInt8(bit % 8)
      try file.write(to: URL(fileURLWithPath: path))
      if store.entryAtOnce(forKey: "key") != nil { served += 1 }
      if try store.entry(forKey: "key") != nil { served += 1 }
    }
    #expect(served == 0)
    FaultTable.note("10,000 single-bit flips", "\(served) returned")
  }

  @Test func `a file with extra bytes at its end counts as missing and is removed`() async throws {
    try await expectMiss(whole + [0], "one byte more")
    try await expectMiss(whole + whole, "the entry twice")
    try await expectMiss(sealed(whole + [0]), "one byte more, with a valid checksum")
  }

  @Test func `a file whose lost blocks contain only zeros counts as missing and is removed`() async throws {
    for start in stride(from: 0, to: whole.count, by: 16) {
      var file = whole
      let end = min(start + 64, whole.count)
      file.replaceSubrange(start..<end, with: Data(count: end - start))
      try await expectMiss(file, "zeros at \(start)")
    }
    try await expectMiss(Data(count: whole.count), "only zeros")
  }

  @Test func `a file with another format version counts as missing and is removed, even with a valid checksum`() async throws {
    // The current version is 4.
    for version: UInt8 in [0, 1, 2, 3, 5, 255] {
      var file = whole
      file[8] = version
      try await expectMiss(sealed(file), "version \(version)")
    }
    try await expectHit(sealed(whole))
    FaultTable.note("another version in a file under this version's name", "a miss, removed")
  }

  @Test func `a file whose header has an unknown flag counts as missing and is removed, even with a valid checksum`() async throws {
    // The flags are at offset 64. Only the flags with the values 1 and 2 are defined.
    var file = whole
    file[64] |= 4
    try await expectMiss(sealed(file), "an unknown bit")
  }

  @Test func `a file whose header declares a length beyond the end of the file counts as missing and is removed`() async throws {
    // The offsets of the lengths of the key, `ETag`, `Last-Modified`, and body.
    for field in [16, 24, 32, 40] {
      for value in [UInt64.max - 1, UInt64(Int.max), UInt64(whole.count), 1 << 32] {
        var file = whole
        file.replaceSubrange(field..<field + 8, with: withUnsafeBytes(of: value.littleEndian) { Data($0) })
        try await expectMiss(sealed(file), "\(value) at \(field)")
      }
    }
  }

  @Test func `a file that contains another key's entry or an image counts as missing and is removed`() async throws {
    try await cache.store(Self.stored, forKey: "another")
    try await expectMiss(try Data(contentsOf: fixture.file(ofKey: "another")), "another key's file")
    try await expectMiss(Data("\u{89}PNG\r\n".utf8) + Data(count: 500), "an image")
    FaultTable.note("foreign file, or the file of another key", "a miss, removed")
  }

  @Test func `a file larger than the cache's limit is removed without being read`() async throws {
    let small = fixture.cache(maxBytes: whole.count - 1)
    #expect(try await small.entry(forKey: "key") == nil)
    #expect(!fixture.exists(fixture.file(ofKey: "key")))
    // The only read is that in the initializer of this suite.
    #expect(fixture.files.calls.count { [.read, .readAtOnce].contains($0) } == 1)
  }

  @Test func `the count and total bytes are correct after a damaged file is removed`() async throws {
    var file = whole
    file[80] ^= 1
    try await expectMiss(file, "a flipped bit")
    #expect(await cache.count() == 0)
    #expect(await cache.totalBytes() == 0)
  }

  @Test func `a damaged file counts as missing even if it cannot be removed`() async throws {
    try whole.dropLast().write(to: fixture.file(ofKey: "key"))
    fixture.files.fail(.delete, with: EROFS)
    #expect(try await cache.entry(forKey: "key") == nil)
    #expect(fixture.exists(fixture.file(ofKey: "key")))
  }

  /// Returns the file with a checksum that matches its bytes, so that only the field under test is wrong.
  private func sealed(_ file: Data) -> Data {
    var checksum = CRC32()
    file[..<12].withUnsafeBytes { checksum.update($0) }
    file[16...].withUnsafeBytes { checksum.update($0) }
    var sealed = file
    sealed.replaceSubrange(12..<16, with: withUnsafeBytes(of: checksum.value.littleEndian) { Data($0) })
    return sealed
  }
}
