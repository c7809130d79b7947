import Foundation
import Testing
import UIKitStandIn

@Suite("Animated WebPs", .timeLimit(.minutes(5)))
struct AnimatedWebPTests {
  static let names = Fixture.names(in: "webp", extension: "webp").filter { $0.hasPrefix("composed-") }.map { String($0.dropLast(5)) }

  private func data(_ name: String) throws -> Data { try Fixture.data("webp/\(name).webp") }

  private func animation(_ data: Data) throws -> ImageAnimation { try #require(try ImageCodecs.animation(of: data)) }

  // The references follow the formula in the format's specification, and are rounded once, to the nearest level. libwebp's own frames may
  // differ from them, because libwebp rounds each step.
  @Test func `frames of each disposal, blended or not, lossy or not, match their references exactly`() throws {
    #expect(Self.names.count == 10)
    for name in Self.names {
      let frames = try animation(data(name)).frames
      let sheet = try AnimatedPNGTests.shown(ImageCodecs.decode(Fixture.data("webp/\(name).frames.png")))
      #expect(sheet.count == frames.count * 12 * 8)
      for (number, frame) in frames.enumerated() {
        #expect(AnimatedPNGTests.shown(frame.image) == Array(sheet[number * 96..<(number + 1) * 96]), "\(name), frame \(number)")
      }
      #expect(try ImageCodecs.decode(data(name)).hasSamePixels(as: frames[0].image), "\(name)")
    }
  }

  @Test(arguments: names) func `a frame has the same pixels if the reader has skipped the frames before it`(name: String) throws {
    let frames = try animation(data(name)).frames
    for first in frames.indices {
      let reader = try #require(try AnimationReader(data(name)))
      for _ in 0..<first { #expect(try reader.skip()) }
      #expect(try reader.next()?.hasSamePixels(as: frames[first].image) == true)
    }
  }

  @Test func `an animated WebP is refused if the limit of held bytes is below three canvases, and a reader holds one canvas`() throws {
    let data = try data("composed-blend-keep")
    let canvas = 12 * 8 * 4
    #expect(try AnimationReader(data)?.heldBytes == canvas)
    var limits = CodecLimits()
    limits.maxHeldBytes = 3 * canvas
    #expect(try ImageCodecs.animation(of: data, limits: limits)?.frames.count == 5)
    limits.maxHeldBytes -= 1
    #expect {
      try ImageCodecs.animation(of: data, limits: limits)
    } throws: {
      if case .tooLarge = $0 as? CodecError { true } else { false }
    }
  }

  /// Returns an animation in which the bytes of one frame are changed. The frame's body begins with its position in units of two pixels.
  private func changed(_ frame: Int, of name: String, _ change: (inout Data, Int) -> Void) throws -> Data {
    var data = try data(name)
    var body = 0
    for _ in 0...frame { body = try #require(data.range(of: Data("ANMF".utf8), in: body..<data.count)).upperBound }
    change(&data, body + 4)
    return data
  }

  @Test func `a file with a frame that exceeds the canvas is refused`() throws {
    for (offset, value) in [(0, 4), (3, 3), (0, 255), (5, 255)] {
      let data = try changed(1, of: "composed-blend-keep") { $0[$1 + offset] = UInt8(value) }
      #expect(throws: CodecError.corrupt("the WebP's frames are broken"), "\(offset), \(value)") { try ImageCodecs.animation(of: data) }
    }
    #expect(try animation(changed(1, of: "composed-blend-keep") { $0[$1] = 3 }).frames.count == 5)
  }

  @Test(arguments: ["blend-keep", "blend-clear", "replace-keep", "cleared"])
  func `an animation ends before its first broken frame, and its reader finds no frames after that frame`(name: String) throws {
    let frames = try animation(data("composed-\(name)")).frames
    // The changed bytes follow the frame's first 16 bytes, the header of its first chunk, and the first 5 bytes of that chunk.
    let broken = try changed(2, of: "composed-\(name)") { data, body in for byte in 16 + 8 + 5..<16 + 8 + 20 { data[body + byte] ^= 0xA7 } }
    let part = try animation(broken).frames
    #expect(part.count == 2 && zip(part, frames).allSatisfy { $0.image.hasSamePixels(as: $1.image) })
    let reader = try #require(try AnimationReader(broken))
    for _ in 0..<2 { #expect(try reader.skip()) }
    for _ in 0..<3 { #expect(try !reader.skip() && reader.next() == nil) }
  }

  @Test func `an animated WebP has at most 10,000 frames`() throws {
    let data = try Fixture.data("webp/animated-one-pixel.webp")
    let start = try #require(data.range(of: Data("ANMF".utf8))).lowerBound
    let length = (4..<8).reversed().reduce(0) { $0 << 8 | Int(data[start + $1]) }
    let frame = data[start..<start + 8 + length + length % 2]
    var file = data[..<start]
    for _ in 0..<10_001 { file += frame }
    file.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(file.count - 8).littleEndian) { Data($0) })
    #expect(try ImageCodecs.info(of: file).frames == 10_000)
    #expect(try AnimationReader(file)?.milliseconds.count == 10_000)
  }
}
