import Foundation
import Testing
import UIKitStandIn

@Suite("AVIF decoding", .timeLimit(.minutes(2)))
struct AVIFDecodingTests {
  /// Whether libavif is installed here.
  static let isInstalled: Bool = {
    do throws(CodecError) {
      _ = try ImageCodecs.info(of: (try? Fixture.data("avif/color.avif")) ?? Data())
      return true
    } catch {
      return false
    }
  }()

  private func decode(_ name: String, size: PixelSize? = nil) throws -> CGImage {
    try ImageCodecs.decode(Fixture.data("avif/\(name).avif"), size: size)
  }

  private static func expected(alpha: Bool = false, gray: Bool = false) -> CGImage? {
    CGImage.drawn(97, 65) { x, y in
      let (red, green, blue) = ((x * 255 + 48) / 96, (y * 255 + 32) / 64, ((x + y) * 255 + 80) / 160)
      let light = UInt8((299 * red + 587 * green + 114 * blue) / 1000)
      if gray { return Pixel(light, light, light, 255) }
      return Pixel(UInt8(red), UInt8(green), UInt8(blue), alpha ? UInt8(255 - red) : 255)
    }
  }

  @Test("without libavif it is unsupported, and says so", .disabled(if: isInstalled))
  func missing() throws {
    #expect(throws: CodecError.unsupported("unsupported: AVIF is read where libavif 0.11 or 1.x is installed")) { try decode("color") }
  }

  @Test("pixels are close", .enabled(if: isInstalled), arguments: ["color", "full-chroma", "gray", "alpha"])
  func pixels(name: String) throws {
    let expected = try #require(Self.expected(alpha: name == "alpha", gray: name == "gray"))
    let difference = try #require(decode(name).meanDifference(from: expected))
    #expect(difference < 2, "\(difference)")
  }

  @Test("rotations and mirrors are applied, in full and reduced", .enabled(if: isInstalled), arguments: 2...8)
  func turned(orientation: Int) throws {
    let upright = try #require(Self.expected()?.turned(ExifOrientation(exif: orientation)))
    #expect(try #require(decode("turned-\(orientation)").meanDifference(from: upright)) < 2)
    let size = PixelSize(width: 20, height: 21)
    let small = try #require(upright.reduced(to: size))
    #expect(try #require(decode("turned-\(orientation)", size: size).meanDifference(from: small)) < 2)
  }

  @Test("of a sequence there is the first picture", .enabled(if: isInstalled))
  func sequence() throws {
    let data = try Fixture.data("avif/animated.avif")
    let image = try ImageCodecs.decode(data)
    #expect(image.width == 24 && image.pixel(3, 5).x > 240 && image.pixel(3, 5).z < 15)
    #expect(try ImageCodecs.animation(of: data) == nil)
  }

  @Test("the limits hold", .enabled(if: isInstalled))
  func limits() throws {
    let data = try Fixture.data("avif/color.avif")
    func isTooLarge(_ change: (inout CodecLimits) -> Void) -> Bool {
      var limits = CodecLimits()
      change(&limits)
      do throws(CodecError) {
        _ = try ImageCodecs.decode(data, limits: limits)
        return false
      } catch {
        if case .tooLarge = error { return true }
        return false
      }
    }
    #expect(!isTooLarge { $0.maxPixels = 97 * 65 })
    #expect(isTooLarge { $0.maxPixels = 97 * 65 - 1 })
    #expect(!isTooLarge { $0.maxHeldBytes = 97 * 65 * 3 })
    #expect(isTooLarge { $0.maxHeldBytes = 97 * 65 * 3 - 1 })
  }

  @Test("what ends early is an error", .enabled(if: isInstalled))
  func truncated() throws {
    let data = try Fixture.data("avif/alpha.avif")
    for count in stride(from: 32, to: data.count, by: 13) {
      #expect(throws: CodecError.self, "\(count) bytes") { try ImageCodecs.decode(data.prefix(count)) }
    }
  }
}
