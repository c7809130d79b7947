import Foundation
import Testing
import UIKitStandIn

@Suite("AVIF sequences", .enabled(if: AVIFDecodingTests.isInstalled), .timeLimit(.minutes(5)))
struct AVIFSequenceTests {
  static let names = ["colors", "alpha", "turned", "cropped", "keyframes", "deep", "deep-alpha", "gray"]

  private func data(_ name: String) throws -> Data { try Fixture.data("avif/sequence-\(name).avif") }

  private func animation(_ name: String, size: PixelSize? = nil) throws -> ImageAnimation {
    try #require(try ImageCodecs.animation(of: data(name), size: size))
  }

  /// Returns one frame from a sheet, which is an image of all frames, one below the other.
  private func part(_ number: Int, of sheet: CGImage, like frame: CGImage) -> CGImage? {
    CGImage.drawn(frame.width, frame.height) { sheet.pixel($0, number * frame.height + $1) }
  }

  @Test(arguments: names)
  func `all frames match those of an independent decoder`(name: String) throws {
    let frames = try animation(name).frames
    let sheet = try ImageCodecs.decode(Fixture.data("avif/sequence-\(name).frames.png"))
    #expect(frames[0].image.width == sheet.width && frames[0].image.height * frames.count == sheet.height)
    for (number, frame) in frames.enumerated() {
      // The two decoders may round differently when they convert from YUV.
      let expected = try #require(part(number, of: sheet, like: frame.image))
      #expect(try #require(frame.image.largestDifference(from: expected)) <= 3, "frame \(number)")
    }
    let info = try ImageCodecs.info(of: data(name))
    #expect(info.frames == frames.count && info.size == PixelSize(width: frames[0].image.width, height: frames[0].image.height))
    #expect(try ImageCodecs.decode(data(name)).hasSamePixels(as: frames[0].image))
  }

  @Test func `a still image is not a sequence`() throws {
    #expect(try ImageCodecs.animation(of: Fixture.data("avif/color.avif")) == nil)
  }

  @Test func `a frame has the duration that the file declares, or a tenth of a second if the file declares 10 ms or less`() throws {
    #expect(try animation("colors").frames.map(\.milliseconds) == [100, 100, 11, 50, 1_000, 33])
    #expect(try animation("keyframes").frames.map(\.milliseconds) == Array(repeating: 33, count: 12))
  }

  @Test func `the edit list and the duration of the track declare how many times a sequence plays`() throws {
    let whole = try data("colors")
    func plays(_ changed: Data) throws -> Int {
      let plays = try ImageCodecs.info(of: changed).plays
      #expect(try AnimationReader(changed)?.plays == plays)
      return plays
    }
    /// Returns the number of plays after the duration of each track is set to this multiple of the duration of one play.
    func tracks(_ times: Double) throws -> Int {
      // The duration of one play: eight bytes at the beginning of the only edit (ISO/IEC 14496-12, 8.6.6).
      var segment = Data()
      _ = BoxFile.changed(whole) { name, content in
        if name == "edts" { segment = content[16..<24] }
        return content
      }
      let duration = UInt32(Double(PNGChunks.number(Data(segment), at: 4)) * times)
      return try plays(
        BoxFile.changed(whole) { $0 == "tkhd" ? $1.prefix(28) + BoxFile.numbers([0, duration]) + $1.dropFirst(36) : $1 })
    }
    #expect(try plays(whole) == 0)
    #expect(try tracks(1) == 1 && tracks(3) == 3 && tracks(2.5) == 3)
    // Without edits, a sequence plays forever, as in browsers. Edits that do not repeat are played once. Byte 11 says whether they repeat.
    var copy = whole
    copy.replaceSubrange(try #require(copy.range(of: Data("edts".utf8))), with: Data("free".utf8))
    #expect(try plays(copy) == 0)
    #expect(try plays(BoxFile.changed(whole) { $0 == "edts" ? $1.prefix(11) + [0] + $1.dropFirst(12) : $1 }) == 1)
  }

  @Test(arguments: ["keyframes", "alpha"])
  func `a frame has the same pixels if the reader has skipped the frames before it`(name: String) throws {
    let frames = try animation(name).frames
    for first in frames.indices {
      let reader = try #require(try AnimationReader(data(name)))
      for _ in 0..<first { #expect(try reader.skip()) }
      let (frame, next) = (try reader.next(), try reader.next())
      #expect(frame?.hasSamePixels(as: frames[first].image) == true)
      if first + 1 < frames.count { #expect(next?.hasSamePixels(as: frames[first + 1].image) == true) } else { #expect(next == nil) }
    }
  }

  @Test(arguments: [("alpha", PixelSize(width: 20, height: 11)), ("turned", PixelSize(width: 9, height: 15))])
  func `frames have the requested size`(name: String, size: PixelSize) throws {
    let (whole, reduced) = (try animation(name).frames, try animation(name, size: size).frames)
    #expect(whole.count == reduced.count)
    for (large, small) in zip(whole, reduced) {
      let expected = try #require(large.image.reduced(to: size))
      // An image that is turned is reduced before it is turned, so its pixels may differ a little.
      #expect(try #require(small.image.largestDifference(from: expected)) <= 3)
    }
  }

  @Test func `the held bytes of a sequence are those of nine padded images and of two decoders`() throws {
    let data = try data("colors")
    // The decoders retain up to eight images, and make another. The sides of an image are padded to multiples of 128 pixels. Each pixel has
    // three bytes. A decoder counts as half a megabyte.
    let bytes = 9 * (128 * 128 * 3) + 2 * (512 << 10)
    #expect(try AnimationReader(data)?.heldBytes == bytes)
    var limits = CodecLimits()
    limits.maxHeldBytes = bytes
    #expect(try ImageCodecs.animation(of: data, limits: limits)?.frames.count == 6)
    limits.maxHeldBytes -= 1
    #expect {
      try ImageCodecs.animation(of: data, limits: limits)
    } throws: {
      if case .tooLarge = $0 as? CodecError { true } else { false }
    }
    #expect(try ImageCodecs.decode(data, limits: limits).width == 48)
  }

  // MARK: - Broken files

  /// Returns the sequence with wrong data in one image.
  private func broken(_ number: Int) throws -> Data {
    var (sizes, start) = ([Int](), 0)
    var whole = try data("keyframes")
    _ = BoxFile.changed(whole) { name, content in
      // The first track has the colors.
      if name == "stsz", sizes.isEmpty { sizes = (0..<12).map { Int(PNGChunks.number(content, at: 12 + 4 * $0)) } }
      if name == "stco", start == 0 { start = Int(PNGChunks.number(content, at: 8)) }
      return content
    }
    let first = start + sizes.prefix(number).reduce(0, +)
    for position in first..<first + sizes[number] { whole[position] ^= 0x5A }
    return whole
  }

  @Test func `an animation ends before its first broken frame, and is refused if that is the first frame`() throws {
    let frames = try animation("keyframes").frames
    for number in [1, 3, 11] {
      let part = try #require(try ImageCodecs.animation(of: broken(number))).frames
      #expect(part.count == number)
      #expect(zip(part, frames).allSatisfy { $0.image.hasSamePixels(as: $1.image) })
    }
    #expect(throws: CodecError.self) { try ImageCodecs.animation(of: broken(0)) }
    let reader = try #require(try AnimationReader(broken(3)))
    for _ in 0..<6 { #expect(try reader.skip()) }
    // After the broken fourth frame, the reader can still decode the seventh frame, which depends only on the fifth, a key frame.
    #expect(try reader.next()?.hasSamePixels(as: frames[6].image) == true)
  }

  @Test func `a sequence that ends early is refused, wherever it ends`() throws {
    let data = try data("alpha")
    for count in stride(from: 32, to: data.count, by: 7) {
      #expect(throws: CodecError.self, "\(count) bytes") {
        let animation = try ImageCodecs.animation(of: data.prefix(count))
        if animation == nil { _ = try ImageCodecs.decode(data.prefix(count)) }
      }
    }
  }

  @Test func `images that are larger than the file declares are refused before they are decoded`() throws {
    let data = try BoxFile.changed(data("keyframes")) { name, content in
      // The last eight bytes of tkhd are the size in units of 1/65536. The size in the description of the images is in stsd.
      if name == "tkhd" { return content.dropLast(8) + BoxFile.numbers([8 << 16, 8 << 16]) }
      if name == "stsd" { return content.prefix(40) + BoxFile.numbers([8 << 16 | 8]) + content.dropFirst(44) }
      return content
    }
    #expect(try ImageCodecs.info(of: data).size == PixelSize(width: 8, height: 8))
    #expect(throws: CodecError.self) { try ImageCodecs.animation(of: data) }
  }

  @Test func `a sequence of 12,000 images is limited to 10,000 frames, and a reader can skip to the last frame`() throws {
    let whole = try data("keyframes")
    let count: UInt32 = 12_000
    func repeated(_ start: UInt32) -> Data {
      BoxFile.changed(whole) { name, content in
        switch name {
        // The track of the alpha is removed.
        case "trak" where content.range(of: Data("auxl".utf8)) != nil: return nil
        case "stsz":
          return BoxFile.numbers([0, PNGChunks.number(content, at: 12), count])
        case "stts": return BoxFile.numbers([0, count] + (0..<count).flatMap { [1, 1 + $0 % 9] })
        case "stsc": return BoxFile.numbers([0, 1, 1, 1, 1])
        case "stco": return BoxFile.numbers([0, count] + Array(repeating: start, count: Int(count)))
        case "stss": return nil
        default: return content
        }
      }
    }
    var start: UInt32 = 0
    _ = BoxFile.changed(whole) { name, content in
      if name == "stco", start == 0 { start = PNGChunks.number(content, at: 8) }
      return content
    }
    let data = repeated(start + UInt32(repeated(0).count - whole.count))
    #expect(try ImageCodecs.info(of: data).frames == 10_000)
    let reader = try #require(try AnimationReader(data, size: PixelSize(width: 2, height: 2)))
    #expect(reader.milliseconds.count == 10_000 && reader.milliseconds[..<4] == [33, 67, 100, 133])
    for _ in 0..<9_999 { #expect(try reader.skip()) }
    #expect(try reader.next() != nil && reader.next() == nil)
  }

  @Test(arguments: names)
  func `a sequence with random changes decodes or is refused, without a crash`(name: String) throws {
    let original = try data(name)
    var state: UInt32 = 5
    func next(_ bound: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % bound
    }
    var limits = CodecLimits()
    limits.maxPixels = 100_000
    for round in 0..<120 {
      var copy = original
      for _ in 0...(round % 4) { copy[next(round % 2 == 0 ? copy.count : min(copy.count, 1_600))] = UInt8(next(256)) }
      _ = try? ImageCodecs.animation(of: copy, size: PixelSize(width: 5, height: 5), most: 20, limits: limits)
      _ = try? ImageCodecs.decode(copy, size: PixelSize(width: 5, height: 5), limits: limits)
    }
  }
}
