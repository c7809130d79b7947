import Foundation
import Testing
import UIKitStandIn

@Suite("Animated PNGs", .timeLimit(.minutes(5)))
struct AnimatedPNGTests {
  static let names = Fixture.names(in: "apng", extension: "png").filter { !$0.hasSuffix(".frames.png") }.map { String($0.dropLast(4)) }

  static func data(_ name: String) throws -> Data { try Fixture.data("apng/\(name).png") }

  private func animation(_ name: String) throws -> ImageAnimation { try #require(try ImageCodecs.animation(of: Self.data(name))) }

  /// Returns the pixels of a frame. The result has zeros for pixels that are fully transparent.
  static func shown(_ image: CGImage) -> [Pixel] {
    (0..<image.height).flatMap { y in (0..<image.width).map { image.pixel($0, y) } }.map { $0.w == 0 ? .zero : $0 }
  }

  /// Returns the reference for a frame, from an image of all frames, one below the other.
  static func reference(_ name: String, _ frame: Int, of count: Int) throws -> [Pixel] {
    let sheet = try ImageCodecs.decode(Fixture.data("apng/\(name).frames.png"))
    let height = sheet.height / count
    return Array(shown(sheet)[frame * height * sheet.width..<(frame + 1) * height * sheet.width])
  }

  @Test func `all frames of all fixtures match their references exactly`() throws {
    #expect(Self.names.count == 24)
    // Other tests compare the files with one frame and the turned file.
    for name in Self.names where !name.hasPrefix("one-") && name != "turned" {
      let frames = try animation(name).frames
      for (number, frame) in frames.enumerated() {
        #expect(try Self.shown(frame.image) == Self.reference(name, number, of: frames.count), "\(name), frame \(number)")
      }
      #expect(try ImageCodecs.decode(Self.data(name)).hasSamePixels(as: frames[0].image), "\(name)")
      #expect(try ImageCodecs.info(of: Self.data(name)).frames == frames.count, "\(name)")
    }
  }

  @Test(arguments: ["one-frame", "one-hidden"])
  func `a PNG with one frame is a still image that shows this frame`(name: String) throws {
    let data = try Self.data(name)
    #expect(try ImageCodecs.animation(of: data) == nil && ImageCodecs.info(of: data).frames == 1)
    #expect(try Self.shown(ImageCodecs.decode(data)) == Self.reference(name, 0, of: 1))
    let size = PixelSize(width: 5, height: 4)
    #expect(try ImageCodecs.decode(data, size: size).hasSamePixels(as: #require(ImageCodecs.decode(data).reduced(to: size))))
  }

  @Test func `an incomplete PNG shows its default image, even if this image is not part of the animation`() throws {
    let data = try Self.data("hidden-default")
    let part = try #require(try ImageCodecs.decode(beginning: data))
    #expect(part.pixel(0, 0) == Pixel(255, 0, 0, 255) && part.pixel(11, 7) == Pixel(255, 0, 0, 255))
    // The complete PNG shows the first frame of the animation.
    #expect(try ImageCodecs.decode(data).pixel(0, 0) == .zero && ImageCodecs.decode(data).pixel(2, 1) == Pixel(0, 255, 0, 255))
  }

  @Test func `a duration is declared as a fraction of a second, and a duration below 11 ms counts as a tenth of a second`() throws {
    let milliseconds = try animation("delays").frames.map(\.milliseconds)
    // The file declares these fractions of a second:
    // 0/0, 0/100, 1/0, 2/0, 1/100, 2/100, 10/1000, 1/95, 11/1000, 1/30, 1/60, 3/1, 65535/1, 65535/65535
    #expect(milliseconds == [100, 100, 100, 20, 100, 20, 100, 100, 11, 33, 17, 3_000, 65_535_000, 1_000])
  }

  @Test func `a file declares how many times it plays, and 0 means forever`() throws {
    for (name, plays) in [("once", 1), ("twice", 2), ("forever", 0)] {
      let data = try Fixture.data("plays/\(name).png")
      #expect(try ImageCodecs.info(of: data).plays == plays && ImageCodecs.animation(of: data)?.plays == plays)
    }
    #expect(try animation("none-source").plays == 3)
  }

  @Test func `each frame is turned by the orientation of the file`() throws {
    let data = try Self.data("turned")
    #expect(try ImageCodecs.info(of: data).size == PixelSize(width: 8, height: 12))
    let (frames, upright) = (try animation("turned").frames, try animation("none-over-opaque").frames)
    #expect(frames.count == upright.count)
    for (frame, other) in zip(frames, upright) {
      let expected = try #require(other.image.turned(.right))
      #expect(frame.image.hasSamePixels(as: expected))
    }
    let size = PixelSize(width: 4, height: 6)
    let small = try #require(try ImageCodecs.animation(of: data, size: size))
    let reduced = try #require(frames[3].image.reduced(to: size))
    #expect(try #require(small.frames[3].image.largestDifference(from: reduced)) <= 1)
  }

  @Test func `the colors of each frame are converted like those of a still image`() throws {
    let (linear, stored) = (try animation("linear").frames, try animation("none-over-opaque").frames)
    #expect(linear[0].image.pixel(0, 0) == Pixel(160, 133, 96, 255) && stored[0].image.pixel(0, 0) == Pixel(90, 60, 30, 255))
    // Gray pixels are converted, too.
    var gray = PNGChunks(try Self.data("gray-alpha"))
    gray.chunks.insert(("gAMA", ColorFile.bigEndian(100_000)), at: 1)
    let light = try #require(try ImageCodecs.animation(of: gray.data)).frames[2].image
    let dark = try animation("gray-alpha").frames[2].image
    #expect(light.pixel(1, 1).x > dark.pixel(1, 1).x + 20 && light.pixel(1, 1).w == dark.pixel(1, 1).w)
    // A broken profile is ignored, and the reason is reported.
    var broken = PNGChunks(try Self.data("none-over"))
    broken.chunks.insert(("iCCP", Data("profile\0\0".utf8)), at: 1)
    var reason: String?
    #expect(try ImageCodecs.animation(of: broken.data, onIgnoredProfile: { reason = $0 })?.frames.count == 5)
    #expect(reason == "it is broken")
  }

  @Test func `the held bytes of an animation reader are those of the canvas and of the largest part that a disposal restores`() throws {
    for (name, bytes) in [("none-over", 12 * 8 * 4), ("previous-over", 12 * 8 * 4 + 5 * 4 * 4)] {
      #expect(try AnimationReader(Self.data(name))?.heldBytes == bytes)
    }
  }

  @Test func `an animation whose canvas needs more memory than allowed is refused, and its default image can still be decoded`() throws {
    let data = try Self.data("hidden-default")
    var limits = CodecLimits()
    // The decoder requires room for three images of the canvas. Each of its 12 × 8 pixels has four bytes.
    limits.maxHeldBytes = 3 * (12 * 8 * 4)
    #expect(try ImageCodecs.animation(of: data, limits: limits)?.frames.count == 3)
    limits.maxHeldBytes -= 1
    #expect {
      try ImageCodecs.animation(of: data, limits: limits)
    } throws: {
      if case .tooLarge = $0 as? CodecError { true } else { false }
    }
    // Without a canvas, not even the first frame can be drawn, so the default image is shown instead.
    #expect(try ImageCodecs.decode(data, limits: limits).pixel(0, 0) == Pixel(255, 0, 0, 255))
  }
}
