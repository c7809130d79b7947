import Foundation
import Testing
import UIKitStandIn

@Suite("Animation", .timeLimit(.minutes(5)))
struct AnimationTests {
  /// Compares every frame with that of another decoder, whose frames are stacked in one image.
  @Test(
    arguments: [
      "gif/dispose-none.gif", "gif/dispose-keep.gif", "gif/dispose-restore.gif", "gif/animated-transparent.gif",
      "gif/animated-local-palette.gif", "gif/animated-outside.gif", "gif/animated-zero-size.gif", "gif/animated-no-data.gif",
      "webp/animated.webp", "webp/animated-small-first.webp", "webp/animated-one-pixel.webp"
    ])
  func `all frames match those of an independent decoder`(path: String) throws {
    let animation = try #require(try ImageCodecs.animation(of: Fixture.data(path)))
    let stem = path.split(separator: ".")[0]
    let sheet = try ImageCodecs.decode(Fixture.data("\(stem).frames.png"))
    let height = try #require(animation.frames.first).image.height
    #expect(animation.frames.count * height == sheet.height)
    for (number, frame) in animation.frames.enumerated() {
      let expected = CGImage.drawn(sheet.width, height) { x, y in
        let pixel = sheet.pixel(x, number * height + y)
        return pixel.w == 0 ? .zero : pixel
      }
      let seen = CGImage.drawn(sheet.width, height) { x, y in
        let pixel = frame.image.pixel(x, y)
        return pixel.w == 0 ? .zero : pixel
      }
      // The two decoders round differently when they blend.
      let (mine, others) = try (#require(seen), #require(expected))
      #expect(try #require(mine.largestDifference(from: others)) <= 2, "frame \(number)")
    }
    #expect(try ImageCodecs.decode(Fixture.data(path)).hasSamePixels(as: animation.frames[0].image))
  }

  private func milliseconds(_ path: String) throws -> [Int] {
    try #require(try ImageCodecs.animation(of: Fixture.data(path))).frames.map(\.milliseconds)
  }

  // Firefox shows frames of at most 10 ms for 100 ms (FrameTimeout::FromRawMilliseconds), and so do the other browsers.
  @Test func `a frame has the duration that the file declares, or a tenth of a second if the file declares 10 ms or less`() throws {
    #expect(try milliseconds("gif/dispose-keep.gif") == [100, 200, 300, 400, 500])
    #expect(try milliseconds("gif/animated-transparent.gif") == [100, 100, 20])
    #expect(try milliseconds("webp/animated.webp") == [100, 50, 100, 200])
    #expect(try milliseconds("webp/animated-small-first.webp") == [70, 100, 70])
    #expect(try milliseconds("webp/animated-one-pixel.webp") == [100, 100, 11])
  }

  // In a GIF, the extension NETSCAPE2.0 has the number of repetitions, and 0 means forever. Without it, browsers play the GIF once
  // (nsGIFDecoder2::ReadNetscapeExtensionData, SkWuffsCodec::onGetRepetitionCount). A WebP has the number of times that it plays, and 0
  // means forever (WebP Container Specification, chunk ANIM).
  @Test(
    arguments: [
      ("gif/animated-local-palette.gif", 1), ("gif/animated-transparent.gif", 0), ("gif/dispose-keep.gif", 4),
      ("webp/animated-one-pixel.webp", 0), ("webp/animated-small-first.webp", 2), ("webp/animated.webp", 4)
    ])
  func `an animation plays as often as its file declares`(path: String, plays: Int) throws {
    #expect(try ImageCodecs.animation(of: Fixture.data(path))?.plays == plays)
  }

  // Chromium's decoder accepts frames of 0 × 0 pixels (Wuffs, QUIRK_REJECT_EMPTY_FRAME), but Firefox gives them the size of the canvas.
  // Firefox shows a frame without data as a blank frame (nsGIFDecoder2::EndImageFrame), but Chromium ends the animation there.
  @Test(
    arguments: [
      ("gif/animated-outside.gif", [50, 70, 90]), ("gif/animated-zero-size.gif", [50, 70, 80, 90]),
      ("gif/animated-no-data.gif", [50, 70, 90])
    ])
  func `a frame without visible pixels looks like the frame before it, but has its own duration`(path: String, durations: [Int]) throws {
    var damage = 0.0
    let animation = try #require(try ImageCodecs.animation(of: Fixture.data(path), onDamage: { damage = $0 }))
    #expect(animation.frames.map(\.milliseconds) == durations && damage == 0)
    for frame in animation.frames.dropFirst().dropLast() { #expect(frame.image.hasSamePixels(as: animation.frames[0].image)) }
  }

  @Test func `a cleared area is transparent, as in browsers, and does not have the file's background color`() throws {
    let animation = try #require(try ImageCodecs.animation(of: Fixture.data("gif/dispose-clear.gif")))
    // The first frame fills the canvas. Each later frame draws a square, which is cleared before the next frame. The numbers are the left
    // edge, the top edge, and the color.
    let squares = [(0, 0, 0), (1, 1, 1), (3, 2, 2), (6, 3, 3)]
    for (number, frame) in animation.frames.prefix(4).enumerated() {
      let drawn = CGImage.drawn(12, 8) { x, y in
        let covers = squares.prefix(number + 1).lastIndex { left, top, color in
          color == 0 || (left..<left + 4).contains(x) && (top..<top + 4).contains(y)
        }
        return covers == number || covers == 0 ? GIFDecodingTests.colors[covers ?? 0] : .zero
      }
      #expect(try frame.image.hasSamePixels(as: #require(drawn)), "frame \(number)")
    }
  }

  @Test func `the GIF disposal method 4 has the same effect as the disposal method 3`() throws {
    let four = try #require(try ImageCodecs.animation(of: Fixture.data("gif/dispose-four.gif")))
    let three = try #require(try ImageCodecs.animation(of: Fixture.data("gif/dispose-restore.gif")))
    #expect(four.frames.count == three.frames.count)
    for (mine, other) in zip(four.frames, three.frames) { #expect(mine.image.hasSamePixels(as: other.image)) }
  }

  @Test func `frames are clipped to the canvas`() throws {
    let animation = try #require(try ImageCodecs.animation(of: Fixture.data("gif/animated-beyond-canvas.gif")))
    #expect(animation.frames.map(\.image.width) == [6, 6] && animation.frames.map(\.image.height) == [5, 5])
    #expect(animation.frames[0].image.pixel(5, 4) == Pixel(0, 255, 0, 255) && animation.frames[0].image.pixel(2, 4) == .zero)
    // The first frame was cleared before the second, which begins at (2, 1).
    #expect(animation.frames[1].image.pixel(1, 4) == .zero && animation.frames[1].image.pixel(2, 1) == Pixel(255, 0, 0, 255))
  }

  @Test(arguments: ["gif/still.gif", "webp/lossy.webp", "jpeg/baseline.jpg", "pngsuite/basn2c08.png"])
  func `a still image is not an animation`(path: String) throws {
    #expect(try ImageCodecs.animation(of: Fixture.data(path)) == nil)
  }

  @Test func `an animation ends before its first broken frame`() throws {
    // The third frame of this file is broken.
    #expect(try milliseconds("gif/broken-second.gif") == [50, 50])
    #expect(try AnimationReader(Fixture.data("gif/broken-second.gif"))?.milliseconds == [50, 50, 50])
  }

  @Test(arguments: ["gif/dispose-keep.gif", "gif/dispose-restore.gif", "webp/animated.webp", "apng/previous-over.png"])
  func `a frame has the same pixels if the reader has skipped the frames before it`(path: String) throws {
    let data = try Fixture.data(path)
    let whole = try #require(try ImageCodecs.animation(of: data)).frames
    for first in whole.indices {
      let reader = try #require(try AnimationReader(data))
      for _ in 0..<first { #expect(try reader.skip()) }
      let frame = try reader.next()
      #expect(frame?.hasSamePixels(as: whole[first].image) == true)
    }
    let reader = try #require(try AnimationReader(data))
    for _ in whole { #expect(try reader.skip()) }
    #expect(try !reader.skip() && reader.next() == nil)
  }

  @Test(arguments: ["gif/dispose-keep.gif", "webp/animated.webp", "apng/none-over.png"])
  func `an animation reader accepts a slice of bytes, and ignores changes that the caller later makes to these bytes`(path: String) throws {
    let data = try Fixture.data(path)
    let frames = try #require(try ImageCodecs.animation(of: data)).frames
    var bytes = (Data(repeating: 0x5A, count: 3) + data).dropFirst(3)
    let reader = try #require(try AnimationReader(bytes))
    for index in bytes.indices { bytes[index] = 0 }
    for frame in frames { #expect(try reader.next()?.hasSamePixels(as: frame.image) == true) }
    #expect(try reader.next() == nil)
  }

  @Test func `frames have the requested size`() throws {
    let size = PixelSize(width: 5, height: 3)
    for path in ["gif/dispose-clear.gif", "webp/animated.webp", "apng/none-over.png"] {
      let whole = try #require(try ImageCodecs.animation(of: Fixture.data(path)))
      let reduced = try #require(try ImageCodecs.animation(of: Fixture.data(path), size: size))
      #expect(whole.frames.count == reduced.frames.count)
      for (large, small) in zip(whole.frames, reduced.frames) {
        #expect(try small.image.hasSamePixels(as: #require(large.image.reduced(to: size))))
      }
    }
  }

  @Test(arguments: ["gif/dispose-keep.gif", "webp/animated.webp", "apng/none-over.png"])
  func `an animation whose canvas exceeds a limit throws, and its first frame can still be decoded`(path: String) throws {
    let data = try Fixture.data(path)
    let info = try ImageCodecs.info(of: data)
    let pixels = info.size.width * info.size.height
    func frames(_ change: (inout CodecLimits) -> Void) throws -> Int? {
      var limits = CodecLimits()
      change(&limits)
      #expect(throws: Never.self) { try ImageCodecs.decode(data, limits: limits) }
      return try ImageCodecs.animation(of: data, limits: limits)?.frames.count
    }
    #expect(try frames { $0.maxPixels = pixels } == info.frames)
    // Every format requires room for at least two images of the canvas, with four bytes for each pixel.
    #expect(throws: CodecError.self) { try frames { $0.maxHeldBytes = pixels * 8 - 1 } }
  }

  @Test func `the held bytes of an animation reader are those of the canvas, and of a copy if a disposal restores earlier pixels`() throws {
    for (path, canvases) in [("gif/dispose-keep.gif", 1), ("gif/dispose-restore.gif", 2), ("webp/animated.webp", 1)] {
      let data = try Fixture.data(path)
      let size = try ImageCodecs.info(of: data).size
      #expect(try AnimationReader(data)?.heldBytes == size.width * size.height * 4 * canvases, "\(path)")
    }
  }
}
