import Foundation
import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DiskCacheFileTests {
  /// These bytes must not change unless the version changes, because caches written by a released version must stay readable.
  @Test func `the header of a version 4 file has exactly the expected bytes`() {
    let entry = FutureImage.CacheEntry(
      body: Data("body".utf8), eTag: "e", receivedAt: Date(timeIntervalSinceReferenceDate: 0),
      freshUntil: Date(timeIntervalSinceReferenceDate: 1)
    ).thatMustBeRevalidated(secondaryKey: "c d")
    let header = DiskCacheFile.header(for: entry, key: "key")
    #expect(header[..<12] == Data("FutImag\n\u{4}\0\0\0".utf8))
    // Eight bytes each: the lengths of the key, the `ETag`, the missing `Last-Modified`, and the body; the time until which the entry is
    // fresh; the time of receipt; the flags; and the length of the secondary key.
    let numbers = header[16..<80].map { String($0, radix: 16) }.joined(separator: " ")
    #expect(
      numbers
        == "3 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 ff ff ff ff ff ff ff ff 4 0 0 0 0 0 0 0 0 0 0 0 0 0 f0 3f 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 "
        + "3 0 0 0 0 0 0 0"
    )
    #expect(header[80...] == Data("keyec d".utf8))
    let checked = header[..<12] + header[16...] + entry.body
    #expect(header[12..<16].elementsEqual(withUnsafeBytes(of: CRC32.checksum(of: checked).littleEndian) { Data($0) }))
  }

  @Test func `an entry created from another entry's body and metadata equals that entry, and an entry without metadata is fresh`() {
    var entry = FutureImage.CacheEntry(
      body: Data("body".utf8), eTag: "e", lastModified: "l", receivedAt: .distantPast, freshUntil: .distantFuture
    ).thatMustBeRevalidated(secondaryKey: "c d")
    entry.isBoundByCacheControl = true
    #expect(FutureImage.CacheEntry(body: entry.body, metadata: entry.metadata) == entry)
    #expect(FutureImage.CacheEntry(body: entry.body).standing(at: Date()) == .fresh)
  }

  @Test func `an entry with damaged metadata is stale`() {
    let entry = FutureImage.CacheEntry(body: Data("body".utf8), eTag: "e", freshUntil: .distantFuture)
    for length in 1..<entry.metadata.count {
      let damaged = FutureImage.CacheEntry(body: entry.body, metadata: entry.metadata.prefix(length))
      #expect(damaged.body == entry.body && damaged.standing(at: Date()) == .stale)
    }
  }

  @Test func `the names of an entry's folder and file form a digest of the key's length and the key, followed by the version`() {
    let name = DiskCacheName(key: "abc")
    let digest = SHA256.hex(of: Data([3, 0, 0, 0, 0, 0, 0, 0]) + Data("abc".utf8))
    #expect(DiskCacheName.folderName(name.folder) + name.file == digest + ".4")
    #expect(DiskCacheName(folder: name.folder, file: name.file) == name)
    #expect(DiskCacheName(folder: name.folder, file: String(name.file.dropLast(2))) != nil)
    #expect(DiskCacheName.folderName(10) == "0a")
    #expect(DiskCacheName.folderName(16) == "10")
    #expect(DiskCacheName.folderName(255) == "ff")
  }

  @Test func `a file name that does not have the exact form of an entry's file name is rejected`() {
    let file = DiskCacheName(key: "abc").file
    let digits = String(file.dropLast(2))
    let others = [
      "", "x", file + "0", file.uppercased(), String(file.dropLast()), digits + ".5", digits + ".14", digits + ".40", digits + "é",
      String(digits.dropLast()) + "g", String(digits.dropLast()) + "g.4", String(digits.dropLast()) + ".4", digits + "04",
      DiskCacheName.temporary()
    ]
    for other in others {
      #expect(DiskCacheName(folder: 0, file: other) == nil, "\(other)")
    }
    #expect(DiskCacheName.isTemporary(DiskCacheName.temporary()))
    #expect(!DiskCacheName.isTemporary(file))
  }
}
