import Foundation
import Testing
import UIKitStandIn

@Suite("Damaged GIFs", .timeLimit(.minutes(5)))
struct GIFDamageTests {
  private static let header = Data("GIF89a".utf8) + [40, 0, 40, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
  /// A graphic control extension. The frame after it is shown for a tenth of a second, and is not cleared.
  private static let control = Data([0x21, 0xF9, 4, 4, 10, 0, 0, 0])

  /// Returns a frame that is 40 pixels wide.
  /// - Parameter codes: the codes, of three bits each. 0 and 1 are pixels, 4 clears the table, and 5 ends the data.
  private static func frame(height: Int = 40, interlaced: Bool = false, codeSize: UInt8 = 2, _ codes: [Int]) -> Data {
    var bits: [Int] = codes.flatMap { code in (0..<3).map { code >> $0 & 1 } }
    bits += [Int](repeating: 0, count: (8 - bits.count % 8) % 8)
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[start + $1]) << UInt8($1) }
    }
    let blocks = stride(from: 0, to: bytes.count, by: 255).flatMap { start in
      let part = bytes[start..<min(start + 255, bytes.count)]
      return [UInt8(part.count)] + part
    }
    return Data([0x2C, 0, 0, 0, 0, 40, 0, UInt8(height), 0, interlaced ? 0x40 : 0, codeSize]) + blocks + [0]
  }

  /// Returns the codes of the given number of rows of 40 pixels in the second color, and the end code.
  private static func rows(_ count: Int) -> [Int] {
    // The table is cleared before a code needs four bits.
    (0..<20 * count).flatMap { _ in [4, 1, 1] } + [5]
  }

  private func decode(_ data: Data) throws -> (image: CGImage, missing: Double) {
    var missing = 0.0
    let image = try ImageCodecs.decode(data, onDamage: { missing = $0 })
    return (image, missing)
  }

  @Test(arguments: [false, true])
  func `an intact GIF has no damage`(interlaced: Bool) throws {
    let (image, missing) = try decode(Self.header + Self.frame(interlaced: interlaced, Self.rows(40)) + [0x3B])
    #expect(missing == 0)
    #expect(image.pixel(39, 39) == Pixel(0, 0, 255, 255))
  }

  @Test(arguments: [false, true], [4, 20, 39])
  func `a GIF with at least a tenth of its rows shows these rows, and the damage is reported`(interlaced: Bool, count: Int) throws {
    let (image, missing) = try decode(Self.header + Self.frame(interlaced: interlaced, Self.rows(count)) + [0x3B])
    #expect(missing == Double(40 - count) / 40)
    let shown = (0..<40).filter { image.pixel(0, $0) == Pixel(0, 0, 255, 255) }
    let transparent = (0..<40).filter { image.pixel(0, $0) == .zero }
    #expect(shown.count == count && transparent.count == 40 - count)
  }

  @Test(arguments: [false, true])
  func `a GIF is read up to a code that is not in its table, and the other rows are reported as damage`(interlaced: Bool) throws {
    // After one pixel, the table has 6 entries, so 7 is not a valid code.
    let codes = Self.rows(20).dropLast() + [4, 1, 7] + Self.rows(20)
    let (image, missing) = try decode(Self.header + Self.frame(interlaced: interlaced, codes) + [0x3B])
    #expect(missing == 0.5)
    #expect((0..<40).filter { image.pixel(0, $0) == Pixel(0, 0, 255, 255) }.count == 20)
    #expect(throws: CodecError.self) { try decode(Self.header + Self.frame([4, 1, 7] + Self.rows(40)) + [0x3B]) }
  }

  @Test(arguments: [false, true], [0, 1, 3])
  func `a GIF with fewer than a tenth of its rows is refused at every size`(interlaced: Bool, count: Int) {
    let data = Self.header + Self.frame(interlaced: interlaced, Self.rows(count)) + [0x3B]
    let error = CodecError.corrupt("the GIF's pixels are damaged: fewer than a tenth of its rows can be read")
    #expect(throws: error) { try decode(data) }
    #expect(throws: error) { try ImageCodecs.decode(data, size: PixelSize(width: 7, height: 5)) }
  }

  @Test func `rows of a frame that are outside the canvas count neither as missing nor as read`() throws {
    let (image, missing) = try decode(Self.header + Self.frame(height: 200, Self.rows(40)) + [0x3B])
    #expect(missing == 0 && image.height == 40)
    #expect(throws: CodecError.self) { try decode(Self.header + Self.frame(height: 200, Self.rows(3)) + [0x3B]) }
  }

  @Test func `a GIF is refused if a wrong block length leaves only a hundredth of the image`() throws {
    var data = Self.header + Self.frame(Self.rows(40)) + [0x3B]
    let first = Self.header.count + 11
    #expect(data[first] == 255)
    data[first] = 7
    data[first + 8] = 0
    #expect(throws: CodecError.self) { try decode(data) }
  }

  @Test
  func `an animation ends before a badly damaged frame, and the largest damage of its frames is reported`() throws {
    func file(_ counts: [Int]) -> Data {
      Self.header + counts.map { Self.control + Self.frame(Self.rows($0)) }.reduce(Data(), +) + [0x3B]
    }
    func frames(_ counts: [Int]) throws -> (count: Int?, missing: Double) {
      var missing = 0.0
      let animation = try ImageCodecs.animation(of: file(counts), onDamage: { missing = $0 })
      return (animation?.frames.count, missing)
    }
    #expect(try frames([40, 40, 40]) == (3, 0))
    #expect(try frames([40, 10, 30, 40]) == (4, 0.75))
    #expect(try frames([40, 30, 3, 10]) == (2, 0.25))
    #expect(try frames([40, 2, 40]) == (1, 0))
    #expect(throws: CodecError.self) { try frames([3, 40]) }
  }

  @Test(arguments: [9, 11, 200])
  func `an error about a code size beyond eight bits names the size and the limit`(size: UInt8) throws {
    let data = Self.header + Self.frame(codeSize: size, Self.rows(40)) + [0x3B]
    let error = CodecError.unsupported("a GIF with a minimum LZW code size of \(size) bits; at most 8 are allowed")
    #expect(throws: error) { try ImageCodecs.info(of: data) }
    #expect(throws: error) { try decode(data) }
    // In a frame after the first, such a code size ends the animation.
    let frames = [Self.frame(Self.rows(40)), Self.frame(Self.rows(40)), Self.frame(codeSize: size, Self.rows(40))]
    let animation = try ImageCodecs.animation(of: Self.header + frames.map { Self.control + $0 }.reduce(Data(), +) + [0x3B])
    #expect(animation?.frames.count == 2)
  }
}
