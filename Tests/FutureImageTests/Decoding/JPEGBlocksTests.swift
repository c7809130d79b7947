import Foundation
import Testing

@testable import FutureImage

/// A JPEG of gray blocks, whose scans are written as bits. The codes of its tables have four bits, and count up from 0 in the order of the
/// symbols: three lengths of DC coefficients, and for AC the end of a block, 16 zeros, a nonzero coefficient, and a run of empty blocks.
private struct Sketch {
  var bytes: [UInt8] = [0xFF, 0xD8]

  /// The body of a frame of blocks in a row: precision, height, width, and one component.
  static func row(_ blocks: Int) -> [UInt8] { [8, 0, 8, 0, UInt8(8 * blocks), 1, 1, 0x11, 0] }

  init(_ frame: [UInt8], isProgressive: Bool) {
    segment(isProgressive ? 0xC2 : 0xC0, frame)
    table(0x00, [0, 16, 17])
    table(0x10, [0x00, 0xF0, 0x01, 0x10])
  }

  mutating func segment(_ code: UInt8, _ body: [UInt8]) {
    let length = body.count + 2
    bytes += [0xFF, code, UInt8(length >> 8), UInt8(length & 255)]
    bytes += body
  }

  private mutating func table(_ name: UInt8, _ symbols: [UInt8]) {
    let counts: [UInt8] = [0, 0, 0, UInt8(symbols.count)] + [UInt8](repeating: 0, count: 12)
    segment(0xC4, [name] + counts + symbols)
  }

  /// - Parameter levels: the bits before and after, as two hexadecimal digits.
  mutating func scan(_ first: UInt8, _ last: UInt8, levels: UInt8 = 0, _ bits: String) {
    segment(0xDA, [1, 1, 0, first, last, levels])
    code(bits)
  }

  /// - Parameter bits: zeros and ones, with spaces anywhere and a bar for each restart. None of the bytes is `FF`.
  mutating func code(_ bits: String) {
    for (index, part) in bits.split(separator: "|", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { bytes += [0xFF, 0xD0 + UInt8(index - 1)] }
      let digits = part.compactMap(\.wholeNumberValue).map { UInt8($0) }
      for start in stride(from: 0, to: digits.count, by: 8) {
        var byte: UInt8 = 0
        for place in start..<start + 8 { byte = byte << 1 | (place < digits.count ? digits[place] : 1) }
        bytes.append(byte)
      }
    }
  }

  var end: EndOfData { EndOfData(of: Data(bytes)) }
}

@Suite(.timeLimit(.minutes(5))) struct JPEGBlocksTests {
  /// The last scan of a progressive image, of the first AC coefficient: with all its bits, and with too few.
  struct Ending: Sendable {
    var blocks = 2
    /// The levels and bits of the scans of that coefficient before.
    let earlier: [(levels: UInt8, bits: String)]
    let levels: UInt8
    let whole: String
    let short: String
  }

  static let endings = [
    // The coefficient is nonzero in both blocks. Each takes a further bit after the end of the block.
    Ending(earlier: [(0x01, "0010 1 0010 1")], levels: 0x10, whole: "0000 1 0000 1", short: "0000 0000"),
    // Runs of three empty blocks, and of two.
    Ending(blocks: 3, earlier: [(0x01, "0000 0000 0000")], levels: 0x10, whole: "0011 1", short: "0011 0"),
    Ending(blocks: 3, earlier: [], levels: 0x00, whole: "0011 1", short: "0011 0")
  ]

  @Test(arguments: endings) func `a scan is complete with its last bit, and not without it`(ending: Ending) {
    for (bits, end) in [(ending.whole, EndOfData.complete), (ending.short, .cutOff)] {
      var sketch = Sketch(Sketch.row(ending.blocks), isProgressive: true)
      let empty = String(repeating: "0000", count: ending.blocks)
      sketch.scan(0, 0, empty)
      sketch.scan(2, 63, empty)
      for scan in ending.earlier { sketch.scan(1, 1, levels: scan.levels, scan.bits) }
      sketch.scan(1, 1, levels: ending.levels, bits)
      #expect(sketch.end == end, "\(bits)")
    }
  }

  @Test func `a run of empty blocks ends at a restart`() {
    for (bits, end) in [("0011 1 | 0000", EndOfData.complete), ("0011 1 |", .cutOff)] {
      var sketch = Sketch(Sketch.row(2), isProgressive: true)
      sketch.segment(0xDD, [0, 1])
      sketch.scan(0, 0, "0000 | 0000")
      sketch.scan(1, 63, bits)
      #expect(sketch.end == end, "\(bits)")
    }
  }

  @Test func `a DC coefficient has at most 16 bits`() {
    for (code, count, end) in [("0001", 16, EndOfData.complete), ("0010", 17, .cutOff)] {
      var sketch = Sketch(Sketch.row(1), isProgressive: false)
      sketch.scan(0, 63, code + String(repeating: "0", count: count) + "0000")
      #expect(sketch.end == end, "\(count) bits")
    }
  }

  // MARK: Segments

  /// A sequential image of one block, with segments between the tables and the scan.
  private func sketched(frame: [UInt8] = Sketch.row(1), _ segments: (code: UInt8, body: [UInt8])...) -> Sketch {
    var sketch = Sketch(frame, isProgressive: false)
    for segment in segments { sketch.segment(segment.code, segment.body) }
    sketch.scan(0, 63, "0000 0000")
    return sketch
  }

  /// The name of a table that no scan uses, and the counts of that many symbols.
  private func table(_ symbols: Int) -> [UInt8] {
    [2] + [UInt8](repeating: 0, count: 14) + [UInt8(symbols / 2), UInt8(symbols - symbols / 2)]
  }

  @Test func `a table has at most 256 symbols, all of them in its segment`() {
    #expect(sketched().end == .complete)
    #expect(sketched((0xC4, [2])).end == .cutOff)
    #expect(sketched((0xC4, table(1))).end == .cutOff)
    #expect(sketched((0xC4, table(256) + [UInt8](repeating: 0, count: 256))).end == .complete)
    #expect(sketched((0xC4, table(257) + [UInt8](repeating: 0, count: 257))).end == .cutOff)
  }

  @Test func `a frame without an area, with impossible factors, or with a missing byte is incomplete`() {
    let frames: [[UInt8]] = [
      [8, 0, 0, 0, 8, 1, 1, 0x11, 0], [8, 0, 8, 0, 0, 1, 1, 0x11, 0], [8, 0, 8, 0, 8, 1, 1, 0x01, 0], [8, 0, 8, 0, 8, 1, 1, 0x10, 0],
      [8, 0, 8, 0, 8, 1, 1, 0x51, 0], [8, 0, 8, 0, 8, 1, 1, 0x15, 0], [8, 0, 8, 0, 8, 1, 1, 0x11]
    ]
    for frame in frames { #expect(sketched(frame: frame).end == .cutOff, "\(frame)") }
    #expect(sketched((0xC0, Sketch.row(1))).end == .cutOff, "a second frame")
  }

  @Test func `a scan whose header lacks a byte is incomplete`() {
    var sketch = Sketch(Sketch.row(1), isProgressive: false)
    sketch.segment(0xDA, [1, 1, 0, 0, 63])
    sketch.code("0000 0000")
    #expect(sketch.end == .cutOff)
  }

  @Test func `empty segments, markers without a segment, and repeated FF are skipped`() {
    #expect(sketched((0xFE, [])).end == .complete)
    var sketch = Sketch(Sketch.row(2), isProgressive: true)
    sketch.bytes += [0xFF, 0x01, 0xFF, 0xD0]
    sketch.scan(0, 0, "0000 0000")
    sketch.bytes.append(0xFF)
    sketch.scan(1, 63, "0000 0000")
    #expect(sketch.end == .complete)
  }

  @Test func `data that ends before a scan or inside a segment is incomplete`() {
    let header = Sketch(Sketch.row(1), isProgressive: false).bytes
    for bytes in [header, [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0xFF], [0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0xFF]] {
      let isComplete = Data(bytes).withEncodedBytes { JPEGBlocks.areComplete(in: $0) }
      #expect(!isComplete)
    }
  }

  // MARK: Limits

  @Test func `the number of blocks that all scans visit is limited`() {
    var sketch = Sketch(Sketch.row(3), isProgressive: false)
    sketch.scan(0, 63, String(repeating: "0000 0000", count: 3))
    for (visits, expected) in [(4, true), (3, false)] {
      let isComplete = Data(sketch.bytes).withEncodedBytes { bytes in
        var blocks = JPEGBlocks(bytes)
        blocks.visits = visits
        return blocks.readSegments()
      }
      #expect(isComplete == expected)
    }
  }

  @Test func `the number of blocks of a progressive image is limited, and those of a sequential one are not stored`() {
    for (height, isProgressive, expected) in [(16_384, true, true), (16_392, true, false), (16_392, false, true)] {
      let body: [UInt8] = [8, UInt8(height >> 8), UInt8(height & 255), 0x40, 0, 1, 1, 0x11, 0]
      Data(body).withEncodedBytes { bytes in
        var blocks = JPEGBlocks(bytes)
        let isRead = blocks.readFrame(0..<body.count, isProgressive: isProgressive)
        #expect(isRead == expected)
        #expect(blocks.components.first?.coefficients.count == (isProgressive && expected ? JPEGBlocks.most : 0))
      }
    }
  }

  @Test func `a Huffman code that has too many codes of a length uses only those that fit`() {
    let counts: [UInt8] = [3, 1] + [UInt8](repeating: 0, count: 14)
    let table = JPEGHuffmanTable(counts: counts, symbols: [5, 6, 7, 8])
    #expect(table.short(0x00).symbol == 5 && table.short(0x00).length == 1)
    #expect(table.short(0xFF).symbol == 6 && table.short(0xFF).length == 1)
    #expect(table.symbol(0, length: 1) == 5 && table.symbol(1, length: 1) == 6 && table.symbol(3, length: 2) == nil)
  }
}
