import Foundation

/// Writes GIF files (GIF89a, CompuServe, 1990) with the usual loop extension. Neither UIKit nor the Linux codecs write GIF files.
///
/// Each frame has its own 256 colors. The writer clears the decoder's string table before a code would need a tenth bit. So every pixel is
/// one nine-bit code, and nothing is compressed.
enum GIFWriter {
  private static let codeBits = 9
  private static let clearCode = 256
  private static let endCode = 257
  /// The number of pixels after which the writer clears the table. The table begins with 258 entries and grows by one string per pixel. At
  /// 512 entries, codes become one bit longer.
  private static let pixelsBetweenClears = 250

  static func file(_ frames: [TestImage], _ frameDuration: Duration) -> Data {
    guard let first = frames.first else { return Data() }
    var file = Data("GIF89a".utf8)
    file.append(number: first.width)
    file.append(number: first.height)
    file.append(contentsOf: [0, 0, 0])  // no global colors, background, aspect ratio
    if frames.count > 1 {
      file.append(contentsOf: [0x21, 0xFF, 11])
      file.append(contentsOf: "NETSCAPE2.0".utf8)
      file.append(contentsOf: [3, 1, 0, 0, 0])  // 0 repetitions mean forever
    }
    let hundredths = Int(max(0, min(frameDuration / .milliseconds(10), 65_535)))
    for frame in frames { append(frame, first.width, first.height, hundredths, to: &file) }
    file.append(0x3B)
    return file
  }

  private static func append(_ frame: TestImage, _ width: Int, _ height: Int, _ hundredths: Int, to file: inout Data) {
    file.append(contentsOf: [0x21, 0xF9, 4, 0])
    file.append(number: hundredths)
    file.append(contentsOf: [0, 0])  // no transparent color
    file.append(0x2C)
    for number in [0, 0, width, height] { file.append(number: number) }
    file.append(0x87)  // the frame's own 256 colors
    file.append(contentsOf: palette(of: frame.content))
    file.append(8)  // bits per color index
    append(pixelsOf: frame.content, count: width * height, to: &file)
    file.append(0)
  }

  /// The palette: the one color 256 times, or, for noise, all combinations of three bits of red, three of green, and two of blue.
  private static func palette(of content: TestImage.Content) -> [UInt8] {
    (0..<256).flatMap { index -> [UInt8] in
      if case .color(let color) = content { return [color.red, color.green, color.blue] }
      return [UInt8(index >> 5 & 7) * 36, UInt8(index >> 2 & 7) * 36, UInt8(index & 3) * 85]
    }
  }

  private static func append(pixelsOf content: TestImage.Content, count: Int, to file: inout Data) {
    var (colors, codes) = (PixelColors(content), SubBlocks())
    for number in 0..<count {
      if number.isMultiple(of: pixelsBetweenClears) { codes.append(clearCode) }
      let color = colors.next()
      codes.append(Int(color.red & 0xE0 | color.green >> 3 & 0x1C | color.blue >> 6))
    }
    codes.append(endCode)
    file.append(codes.finished())
  }

  /// Nine-bit codes, lowest bit first, in blocks of at most 255 bytes. A byte with the length of the block precedes each block.
  private struct SubBlocks {
    private var file = Data()
    private var block: [UInt8] = []
    private var bits = 0
    private var bitCount = 0

    mutating func append(_ code: Int) {
      bits |= code << bitCount
      bitCount += codeBits
      while bitCount >= 8 { appendByte() }
    }

    mutating func finished() -> Data {
      if bitCount > 0 { appendByte() }
      endBlock()
      return file
    }

    private mutating func appendByte() {
      block.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
      if block.count == 255 { endBlock() }
    }

    private mutating func endBlock() {
      guard !block.isEmpty else { return }
      file.append(UInt8(block.count))
      file.append(contentsOf: block)
      block = []
    }
  }
}

extension Data {
  /// Appends the number as two bytes, the lower byte first.
  fileprivate mutating func append(number: Int) {
    append(UInt8(truncatingIfNeeded: number))
    append(UInt8(truncatingIfNeeded: number >> 8))
  }
}
