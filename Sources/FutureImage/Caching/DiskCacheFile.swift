/// The format of a file of the disk cache, version 4. Numbers are little-endian and unsigned.
///
/// | offset | bytes | content |
/// | ---: | ---: | --- |
/// | 0 | 8 | magic: `FutImag` and a line feed, which a transfer in text mode would change |
/// | 8 | 4 | version: 4 |
/// | 12 | 4 | CRC-32 of everything else: bytes 0 ..< 12, then 16 ..< end |
/// | 16 | 8 | length of the key, in bytes |
/// | 24 | 8 | length of the `ETag`; all ones if there is none |
/// | 32 | 8 | length of the `Last-Modified`; all ones if there is none |
/// | 40 | 8 | length of the body |
/// | 48 | 8 | fresh until: bits of an IEEE double, seconds since 2001-01-01 00:00 UTC; all ones for unknown |
/// | 56 | 8 | received at: in the same form |
/// | 64 | 8 | bit 0: must be revalidated when no longer fresh; bit 1: `Cache-Control` defines the time of freshness; other bits: 0 |
/// | 72 | 8 | length of the secondary key; all ones if there is none |
/// | 80 | | key, `ETag`, `Last-Modified`, secondary key (UTF-8), body, one after the other, and nothing after them |
///
/// The secondary key consists of the names of the request fields by which the server selected the body, and a digest of their values.
///
/// Version 1 had neither the time of receipt nor the bits at offset 64. A file of version 2 with a URL as its key may have the wrong image,
/// because a feed may have stored an image under a custom key with the same spelling. Version 3 differs from version 4 only in the names of
/// its files. Raise the version with every change of the format. This also changes the names of the files: see ``DiskCacheName``.
///
/// The file contains the key, so a foreign file or the file of another key with the same digest is not a hit.
enum DiskCacheFile {
  /// The length of the part before the key, in bytes.
  static let fixedLength = 80

  private static let magic = Data("FutImag\n".utf8)
  static let version: UInt32 = 4
  private static let absent = UInt64.max
  private static let mustRevalidate: UInt64 = 1
  private static let isBoundByCacheControl: UInt64 = 2

  /// Returns all bytes before the body.
  static func header(for entry: FutureImage.CacheEntry, key: String) -> Data {
    var header = magic
    header.appendNumber(version)
    header.appendNumber(UInt32(0))
    header.appendNumber(UInt64(key.utf8.count))
    header.appendNumber(length(entry.eTag))
    header.appendNumber(length(entry.lastModified))
    header.appendNumber(UInt64(entry.body.count))
    header.appendNumber(number(entry.freshUntil))
    header.appendNumber(number(entry.receivedAt))
    header.appendNumber((entry.mustRevalidate ? mustRevalidate : 0) | (entry.isBoundByCacheControl ? isBoundByCacheControl : 0))
    header.appendNumber(length(entry.secondaryKey))
    for text in [key, entry.eTag, entry.lastModified, entry.secondaryKey] { header.append(contentsOf: (text ?? "").utf8) }
    let sum = header.withUnsafeBytes { header in entry.body.withUnsafeBytes { checksum(header, $0) } }
    header.replaceSubrange(12..<16, with: Swift.withUnsafeBytes(of: sum.littleEndian) { Data($0) })
    return header
  }

  /// Returns the entry in the file; nil if the file is incomplete, has another version, or has another key.
  static func entry(in file: AppendOnlyBuffer, key: String) -> FutureImage.CacheEntry? {
    file.withBytes { bytes in
      guard bytes.count >= fixedLength, bytes.starts(with: magic), bytes.number(at: 8) == version else { return nil }
      var start = fixedLength
      // Returns the next range of the file; nil if the range would reach past the end of the file. So a wrong length cannot cause a read
      // past the end.
      func next(_ length: UInt64) -> Range<Int>? {
        guard length <= UInt64(bytes.count - start) else { return nil }
        defer { start += Int(length) }
        return start..<start + Int(length)
      }
      func text(_ length: UInt64) -> String?? {
        guard length != absent else { return .some(nil) }
        return next(length).map { String(decoding: UnsafeRawBufferPointer(rebasing: bytes[$0]), as: UTF8.self) }
      }
      guard
        let keyRange = next(bytes.number(at: 16)), bytes[keyRange].elementsEqual(key.utf8),
        let eTag = text(bytes.number(at: 24)), let lastModified = text(bytes.number(at: 32)),
        let secondaryKey = text(bytes.number(at: 72)), let body = next(bytes.number(at: 40)), body.upperBound == bytes.count,
        checksum(bytes, UnsafeRawBufferPointer(start: nil, count: 0)) == bytes.number(at: 12)
      else { return nil }
      let bits: UInt64 = bytes.number(at: 64)
      guard bits & ~(mustRevalidate | isBoundByCacheControl) == 0 else { return nil }
      var entry = FutureImage.CacheEntry(
        body: file.data(body), eTag: eTag, lastModified: lastModified, receivedAt: date(bytes.number(at: 56)),
        freshUntil: date(bytes.number(at: 48)))
      entry.mustRevalidate = bits & mustRevalidate != 0
      entry.secondaryKey = secondaryKey
      entry.isBoundByCacheControl = bits & isBoundByCacheControl != 0
      return entry
    }
  }

  /// Returns the bytes of a file without key and body, for tiers that store the body separately.
  static func metadata(of entry: FutureImage.CacheEntry) -> Data {
    var entry = entry
    entry.body = Data()
    return header(for: entry, key: "")
  }

  /// Returns the entry with that body, and with the metadata that another tier has stored; nil if the metadata is damaged, has another
  /// version, or is empty.
  static func entry(_ metadata: Data, body: Data) -> FutureImage.CacheEntry? {
    let bytes = AppendOnlyBuffer(capacity: metadata.count)
    guard bytes.append(metadata) else { return nil }
    var entry = entry(in: bytes, key: "")
    entry?.body = body
    return entry
  }

  private static func length(_ text: String?) -> UInt64 { text.map { UInt64($0.utf8.count) } ?? absent }

  private static func number(_ date: Date?) -> UInt64 { date?.timeIntervalSinceReferenceDate.bitPattern ?? absent }

  private static func date(_ number: UInt64) -> Date? {
    number == absent ? nil : Date(timeIntervalSinceReferenceDate: Double(bitPattern: number))
  }

  /// Returns the checksum of both parts, without the four bytes that contain the checksum itself.
  private static func checksum(_ header: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32()
    checksum.update(UnsafeRawBufferPointer(rebasing: header[..<12]))
    checksum.update(UnsafeRawBufferPointer(rebasing: header[16...]))
    checksum.update(body)
    return checksum.value
  }
}

extension FutureImage.CacheEntry {
  /// Creates an entry with the metadata of a stored entry, or with none.
  /// - Parameters:
  ///   - body: the bytes of an image.
  ///   - metadata: the ``metadata`` of the stored entry. If it is empty, the image is fresh until its future is reloaded, as for an image
  ///     that the app itself adds to a cache. If it is damaged, the image is revalidated.
  public init(body: Data, metadata: Data = Data()) {
    if let known = DiskCacheFile.entry(metadata, body: body) {
      self = known
    } else {
      self.init(body: body, eTag: nil, freshUntil: metadata.isEmpty ? nil : .distantPast)
    }
  }

  /// The information that the server sent about the body: how long the body is fresh, how it is revalidated, and which requests it fits.
  /// This information has about a hundred bytes, in a format of this library.
  public var metadata: Data { DiskCacheFile.metadata(of: self) }
}

extension Data {
  fileprivate mutating func appendNumber(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
