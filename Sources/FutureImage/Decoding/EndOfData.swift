import Foundation

/// Whether an image's data reaches the end of the image, according to the rules of its format. The result is the same on every platform,
/// even if the decoders treat a truncated file differently. The check takes time in proportion to the number of bytes, and reads no pixels.
///
/// | format | known by | the end | source |
/// | --- | --- | --- | --- |
/// | JPEG | `FF D8 FF` | `FF D9` outside of segments; if no such marker follows a scan, the decoder decides | ITU-T T.81, B.1, B.2 |
/// | PNG | `89 "PNG" 0D 0A 1A 0A` | the chunk `IEND` with its CRC | PNG, 5.3, 11.2.5 |
/// | GIF | `"GIF87a"` or `"GIF89a"` | the trailer `3B`; without it, the end of a block after a frame | GIF89a, 20, 27 |
/// | WebP | `"RIFF"…"WEBP"` | as many bytes as the RIFF header declares, plus its own 8 | RFC 9649, 2.4 |
/// | HEIC, AVIF | `"ftyp"` at 4 | the end of the last box, one of them `mdat` | ISO/IEC 14496-12, 4.2, 8.1.1 |
///
/// | bytes | state |
/// | --- | --- |
/// | `FF D8 … FF DA … 3F FF D9 00 00` | complete: bytes after the end are not part of the image, see ``markedEnd(of:)`` |
/// | `FF D8 FF E1 00 0A … FF D9 … FF DA … 3F` | unknown: the end marker of a thumbnail in a segment does not count |
/// | `89 "PNG" … 00 00 00 00 "IEND" AE 42 60` | cut off: a byte of the CRC is missing |
/// | `"GIF89a" … 2C … 00` | complete: many files lack only the trailer |
/// | `"GIF89a" … 2C … 05 12 34` | cut off: three bytes of a sub-block are missing |
/// | `"RIFF" 64 00 00 00 "WEBP" …`, 107 bytes | cut off: 108 are declared |
/// | `… 00 00 00 00 "mdat" …` | unknown: the box has all remaining bytes, whose number is not declared |
/// | `… "mdat" … 00 00 01 0A "SEFH" …`, fewer bytes than declared | unknown: a trailer, or a box that is cut off |
/// | `"II" 2A 00 …` | unknown: the decoder decides |
enum EndOfData: Sendable, Hashable {
  case complete
  case cutOff
  /// A format that is not in the table, or data that breaks the rules of its format. The decoder then decides.
  case unknown

  init(of data: Data) {
    self = data.withEncodedBytes { bytes in
      switch Mark(in: bytes) {
      case .end, .none: .complete
      case .cutOff: .cutOff
      case .unknown: .unknown
      }
    }
  }

  /// Returns the position after the image if its format marks that position; nil if the data does not contain the mark, for example because
  /// more data has yet to arrive.
  static func markedEnd(of data: Data) -> Int? {
    data.withEncodedBytes { bytes in if case .end(let position) = Mark(in: bytes) { position } else { nil } }
  }
}

/// The mark that ends an image's data.
private enum Mark {
  /// Bytes from this position on are not part of the image.
  case end(Int)
  /// The image is complete without a mark.
  case none
  case cutOff
  case unknown

  init(in bytes: EncodedBytes) {
    if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
      self.init(ofGIF: bytes)
    } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
      self.init(ofRIFF: bytes)
    } else if bytes.has("ftyp", at: 4) {
      self.init(ofBoxes: bytes)
    } else if bytes.number32(at: 0) == 0x8950_4E47, bytes.number32(at: 4) == 0x0D0A_1A0A {
      self.init(ofPNG: bytes)
    } else if bytes.number16(at: 0) == 0xFFD8, bytes[2] == 0xFF {
      self.init(ofJPEG: bytes)
    } else {
      self = .unknown
    }
  }

  /// Reads chunks. Each has a length, four letters, that many bytes, and a CRC of four bytes.
  private init(ofPNG bytes: EncodedBytes) {
    var position = 8
    while let length = bytes.number32(at: position), length <= bytes.count - position - 12 {
      let isEnd = bytes.has("IEND", at: position + 4)
      position += 12 + length
      if isEnd {
        self = .end(position)
        return
      }
    }
    self = .cutOff
  }

  /// Reads the header, which declares how many bytes follow its first eight.
  private init(ofRIFF bytes: EncodedBytes) {
    guard let length = bytes.littleEndian32(at: 4), length >= 4 else {
      self = .unknown
      return
    }
    self = length <= bytes.count - 8 ? .end(length + 8) : .cutOff
  }

  /// Reads boxes. Each begins with a length that includes itself, and four letters. A length of 1 means that a length of eight bytes
  /// follows. A length of 0 means all remaining bytes. The image ends with the last box that has a part of the image. If that box extends
  /// over all remaining bytes, complete and cut-off data look the same.
  private init(ofBoxes bytes: EncodedBytes) {
    var position = 0
    var end = 0
    var hasMedia = false
    while position <= bytes.count - 8, let short = bytes.number32(at: position) {
      let isMedia = bytes.has("mdat", at: position + 4)
      hasMedia = hasMedia || isMedia
      let isPart = isMedia || ["meta", "moov", "moof", "idat"].contains { bytes.has($0, at: position + 4) }
      // Data after the image may begin with zeros.
      if short == 0, !isPart { break }
      let length = short == 1 ? bytes.number64(at: position + 8) : short
      guard let length, length >= 8, length <= bytes.count - position else {
        // Data after the image may look like a box.
        self = length ?? 8 < 8 || (hasMedia && !isPart) ? .unknown : .cutOff
        return
      }
      position += length
      if isPart { end = position }
    }
    // If a whole box is missing, only the decoder detects it.
    self = hasMedia ? .end(end) : .unknown
  }
}

extension Mark {
  /// Reads blocks. Each has a byte for its kind, the data of that kind, and sub-blocks. A sub-block has a one-byte length and that many
  /// bytes. A sub-block of length 0 is the last one.
  private init(ofGIF bytes: EncodedBytes) {
    // The signature and the screen descriptor have 13 bytes.
    var position = 13 + Self.tableSize(bytes[10])
    var hasFrame = false
    while let kind = bytes[position] {
      position += 1
      switch kind {
      case 0x00: continue  // some writers end their sub-blocks twice
      case 0x21: position += 1  // an extension, and its label
      case 0x2C:
        hasFrame = true
        // The rest of the image descriptor has 9 bytes. A color table may follow, and then the code size, which is one byte.
        position += 10 + Self.tableSize(bytes[position + 8])
      case 0x3B:
        self = .end(position)
        return
      default:
        self = hasFrame ? .end(position - 1) : .unknown
        return
      }
      guard let next = Self.endOfSubBlocks(bytes, position) else {
        self = .cutOff
        return
      }
      position = next
    }
    self = hasFrame ? .none : .cutOff
  }

  /// Returns the size in bytes of the color table that the flags declare.
  private static func tableSize(_ flags: UInt8?) -> Int {
    guard let flags, flags & 0x80 != 0 else { return 0 }
    return 3 << (Int(flags & 7) + 1)
  }

  private static func endOfSubBlocks(_ bytes: EncodedBytes, _ start: Int) -> Int? {
    var position = start
    while let length = bytes[position] {
      position += 1 + Int(length)
      if length == 0 { return position }
    }
    return nil
  }
}

extension Mark {
  /// Reads segments. Each has `FF`, a code, a length that includes itself, and that many bytes minus two. The coded bytes of a scan follow
  /// its segment. In coded bytes, `FF` precedes only `00` and restart codes, so the search for the next marker skips them. Codes below `C0`
  /// are reserved. They occur in damaged scans and in trailers, where an end marker has no meaning.
  private init(ofJPEG bytes: EncodedBytes) {
    var position = 2
    var hasScan = false
    while let mark = bytes.first(0xFF, from: position) {
      position = mark + 1
      // `FF` may be repeated before a code.
      guard let code = bytes[position], code != 0xFF else { continue }
      position += 1
      switch code {
      case 0x00, 0xD0...0xD8: continue
      case 0x01...0xBF:
        guard hasScan else { continue }
        self = Self.afterScan(bytes)
        return
      case 0xD9:
        self = .end(position)
        return
      default:
        guard let length = bytes.number16(at: position), length <= bytes.count - position else {
          self = hasScan ? Self.afterScan(bytes) : .cutOff
          return
        }
        guard length >= 2 else {
          self = hasScan ? Self.afterScan(bytes) : .unknown
          return
        }
        position += length
        hasScan = hasScan || code == 0xDA
      }
    }
    self = hasScan ? Self.afterScan(bytes) : .cutOff
  }

  /// Returns the state of a JPEG in which no end marker was found after a scan. The search may have missed a marker at the very end,
  /// because the bytes of a damaged scan may look like a segment that is longer than the file. Without a marker there, only the decoder
  /// detects whether blocks are missing.
  private static func afterScan(_ bytes: EncodedBytes) -> Self { bytes.number16(at: bytes.count - 2) == 0xFFD9 ? .none : .unknown }
}
