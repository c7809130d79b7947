/// A count of the blocks in a JPEG that lacks its end marker. Some of these files have all blocks: a file that lost only its last two
/// bytes, or a file whose writer omitted the marker before a trailer, such as the video of a motion photo, or notes about a panorama.
///
/// If more bytes follow the last block than a damaged end marker has, they must begin like a trailer, with a marker or with two zeros. The
/// zeros belong to the length of a box or to a type, or all bytes that follow are zeros. Otherwise, the trailer of a truncated file would
/// count as the missing blocks.
///
/// Reads the Huffman codes according to ITU-T T.81 (F.2.2 for sequential images, G.1.2 for progressive images), but computes no
/// coefficients. The last scan must not need bits beyond the data, and a progressive image must have the lowest bit of every coefficient.
/// An image in arithmetic coding counts as incomplete, because such a scan never runs out of bits. An image with more blocks than the
/// bounds below allow counts as incomplete, too.
struct JPEGBlocks {
  /// The maximum number of blocks of a progressive image. Each block takes eight bytes here. The number of blocks that all scans visit is
  /// limited, too, because one scan can declare in two bytes that 32,767 blocks are empty.
  static let most = 4 << 20

  struct Component {
    let id: UInt8
    let horizontal: Int
    let vertical: Int
    /// The number of blocks in a row and in a column, in a scan of this component alone.
    var width = 0
    var height = 0
    /// The number of stored blocks in a row, which is the number in scans of several components.
    var stride = 0
    var isScanned = false
    /// The lowest bit that was read of each coefficient; -1 if no bit was read.
    var bits = [Int](repeating: -1, count: 64)
    /// One number for each block, with a bit for each coefficient that is not zero.
    var coefficients: [UInt64] = []
  }

  struct Scan {
    struct Member {
      let component: Int
      let (dc, ac): (Int, Int)
    }

    let members: [Member]
    let (first, last, high, low): (Int, Int, Int, Int)
  }

  let bytes: EncodedBytes
  var components: [Component] = []
  var isProgressive = false
  var (unitsAcross, unitsDown) = (0, 0)
  /// The position of the counts in the latest declaration of each table, by class and number. A table is made only when a scan uses it,
  /// because a file of empty declarations has millions of them.
  var declared: [Int: Int] = [:]
  var tables: [Int: JPEGHuffmanTable] = [:]
  var restartInterval = 0
  var visits = 4 * JPEGBlocks.most

  /// - Parameter bytes: the file from the start marker on.
  static func areComplete(in bytes: EncodedBytes) -> Bool {
    var blocks = JPEGBlocks(bytes)
    return blocks.readSegments()
  }

  init(_ bytes: EncodedBytes) {
    self.bytes = bytes
  }

  /// - Returns: whether all blocks are present.
  mutating func readSegments() -> Bool {
    var position = 2
    // Whether the latest scan has all of its blocks; nil before the first scan.
    var isWhole: Bool?
    while let mark = bytes.first(0xFF, from: position) {
      position = mark + 1
      guard let code = bytes[position], code != 0xFF else { continue }
      position += 1
      if code < 0xC0 || 0xD0...0xD7 ~= code || (code == 0xD8 && isWhole == nil) { continue }
      guard let length = bytes.number16(at: position), length >= 2, length <= bytes.count - position,
        let next = readSegment(code, position + 2..<position + length, &isWhole)
      else { break }
      position = next
    }
    // After a scan, bytes that are not a segment are a trailer.
    return isWhole == true && isFinished
  }

  /// - Returns: the position after the segment or, for a scan, after its coded bytes; nil if the segment cannot be read.
  private mutating func readSegment(_ code: UInt8, _ body: Range<Int>, _ isWhole: inout Bool?) -> Int? {
    switch code {
    case 0xC4: guard readTables(body) else { return nil }
    case 0xC0...0xC2: guard readFrame(body, isProgressive: code == 0xC2) else { return nil }
    case 0xC3, 0xC5...0xCF, 0xD8, 0xD9: return nil
    case 0xDD: restartInterval = bytes.number16(at: body.lowerBound) ?? 0
    case 0xDA:
      guard let scan = readScan(body) else { return nil }
      let next = nextMarker(from: body.upperBound) ?? bytes.count
      isWhole = read(scan, from: body.upperBound, to: next)
      return next
    default: break
    }
    return body.upperBound
  }

  private var isFinished: Bool {
    components.allSatisfy { $0.isScanned && (!isProgressive || $0.bits.allSatisfy { $0 == 0 }) }
  }

  private func nextMarker(from start: Int) -> Int? {
    var position = start
    while let mark = bytes.first(0xFF, from: position), let code = bytes[mark + 1] {
      if code != 0, code != 0xFF, !(0xD0...0xD7 ~= code) { return mark }
      position = mark + (code == 0xFF ? 1 : 2)
    }
    return nil
  }
}
