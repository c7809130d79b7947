import Foundation
import Testing
import UIKitStandIn

/// The chunks of a PNG that describe its colors, and which of them takes precedence (PNG, third edition, 4.3).
@Suite("PNG colors", .timeLimit(.minutes(5)))
struct PNGColorTests {
  typealias Chunk = (name: String, content: Data)

  /// Returns a cICP chunk, whose code numbers stand for primaries, a transfer function, a matrix, and a range.
  static func numbers(_ primaries: UInt8, _ transfer: UInt8, matrix: UInt8 = 0, full: UInt8 = 1) -> Chunk {
    ("cICP", Data([primaries, transfer, matrix, full]))
  }

  static func gamma(_ gamma: UInt32) -> Chunk { ("gAMA", ColorFile.bigEndian(gamma)) }

  /// Returns a cHRM chunk.
  /// - Parameter primaries: the coordinates x and y of white, red, green, and blue, in units of 1/100,000.
  static func primaries(_ primaries: [UInt32]) -> Chunk { ("cHRM", primaries.reduce(Data()) { $0 + ColorFile.bigEndian($1) }) }

  static let adobe = primaries([31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000])
  static let srgb: Chunk = ("sRGB", Data([0]))

  static func profile(_ name: String) throws -> Chunk { try ("iCCP", ColorFile.compressed(ColorFile.profile(name))) }

  private func isLike(_ reference: String, _ data: Data) throws -> Bool {
    let difference = try ImageCodecs.decode(data).meanColorDifference(from: ColorFile.image(reference))
    return difference <= 0.25
  }

  @Test func `cICP numbers, profiles, and primaries can describe the same colors`() throws {
    #expect(try isLike("p3.png-in-srgb.png", ColorFile.png(Self.numbers(12, 13))))
    #expect(try isLike("bt2020-numbers.avif-in-srgb.png", ColorFile.png(Self.numbers(9, 14))))
    #expect(try isLike("linear.png-in-srgb.png", ColorFile.png(Self.numbers(1, 8))))
    #expect(try isLike("adobe.png-in-srgb.png", ColorFile.png(Self.profile("adobe"))))
    // The gamma of Adobe RGB is so near to that of sRGB that its curve counts as that of sRGB.
    let adobe = try ImageCodecs.decode(ColorFile.png(Self.adobe, Self.gamma(45_471)))
    #expect(try adobe.meanColorDifference(from: ColorFile.image("adobe.png-in-srgb.png")) < 3)
    #expect(try isLike("linear.png-in-srgb.png", ColorFile.png(Self.gamma(100_000))))
  }

  @Test func `an sRGB chunk, some cICP numbers, and the gamma or the primaries of sRGB do not change the pixels`() throws {
    let plain = try ColorFile.image("plain.png")
    let srgbPrimaries = Self.primaries([31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000])
    for chunk in [Self.numbers(1, 13), Self.numbers(1, 1), Self.numbers(2, 2), Self.srgb, Self.gamma(45_455), srgbPrimaries] {
      #expect(try ImageCodecs.decode(ColorFile.png(chunk)).hasSamePixels(as: plain), "\(chunk)")
    }
    #expect(try ImageCodecs.decode(ColorFile.png(Self.gamma(45_455), srgbPrimaries)).hasSamePixels(as: plain))
  }

  @Test func `cICP takes precedence over iCCP, iCCP over sRGB, and sRGB over gAMA and cHRM`() throws {
    let (gamma, profile) = (Self.gamma(100_000), try Self.profile("adobe"))
    #expect(try isLike("p3.png-in-srgb.png", ColorFile.png(gamma, Self.srgb, profile, Self.numbers(12, 13))))
    #expect(try isLike("adobe.png-in-srgb.png", ColorFile.png(gamma, Self.srgb, profile)))
    #expect(try isLike("plain.png", ColorFile.png(gamma, Self.adobe, Self.srgb)))
  }

  @Test func `a color chunk that cannot be used is reported, and the chunk with the next precedence is used`() throws {
    for (numbers, reason) in [
      (Self.numbers(9, 16), "it describes the levels of HDR, which are shown without conversion"),
      (Self.numbers(9, 18), "it describes the levels of HDR, which are shown without conversion"),
      (Self.numbers(3, 13), "it has an unknown number"), (Self.numbers(12, 0), "it has an unknown number"),
      (Self.numbers(12, 13, matrix: 1), "it describes levels that are not of the full range of RGB"),
      (Self.numbers(12, 13, full: 0), "it describes levels that are not of the full range of RGB")
    ] {
      let data = try ColorFile.png(numbers, Self.profile("adobe"))
      #expect(try ColorFile.ignoredProfile(of: data) == reason && isLike("adobe.png-in-srgb.png", data))
    }
    let broken: Chunk = ("iCCP", ColorFile.compressed(Data(count: 200)))
    #expect(try ColorFile.ignoredProfile(of: ColorFile.png(broken, Self.gamma(100_000))) == "it is broken")
    #expect(try isLike("linear.png-in-srgb.png", ColorFile.png(broken, Self.gamma(100_000))))
  }

  @Test func `a color chunk with a wrong checksum or a wrong length is ignored`() throws {
    let plain = try ColorFile.image("plain.png")
    for chunk in [Self.numbers(12, 13), Self.gamma(100_000), Self.adobe, try Self.profile("adobe")] {
      var data = try ColorFile.png(chunk)
      data[33 + 8 + chunk.content.count] ^= 1
      #expect(try ImageCodecs.decode(data).hasSamePixels(as: plain), "\(chunk.name)")
      let short = try ColorFile.png((chunk.name, chunk.content.dropLast(chunk.content.count / 2 + 1)))
      #expect(try ImageCodecs.decode(short).hasSamePixels(as: plain), "\(chunk.name)")
    }
  }

  @Test func `primaries that describe no colors are ignored, and an extreme gamma does not prevent the decode`() throws {
    let plain = try ColorFile.image("plain.png")
    let values: [[UInt32]] = [
      Array(repeating: 0, count: 8), Array(repeating: 33_333, count: 8), Array(repeating: .max, count: 8),
      [31_270, 0, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000], [31_270, 32_900, 64_000, 33_000, 64_000, 33_000, 15_000, 6_000]
    ]
    for value in values { #expect(try ImageCodecs.decode(ColorFile.png(Self.primaries(value))).hasSamePixels(as: plain), "\(value)") }
    for value in [1, 5, .max] as [UInt32] { #expect(try ImageCodecs.decode(ColorFile.png(Self.gamma(value))).width == 64) }
  }

  @Test func `the colors of an interlaced PNG are converted, too`() throws {
    let data = try Fixture.data("pngsuite/basi2c08.png"), twin = try Fixture.data("pngsuite/basn2c08.png")
    let chunk = try ColorFile.chunk("iCCP", ColorFile.compressed(ColorFile.profile("p3")))
    for size in [nil, PixelSize(width: 9, height: 9)] {
      let images = try [data, twin].map { try ImageCodecs.decode($0.prefix(33) + chunk + $0.dropFirst(33), size: size) }
      #expect(try images[0].hasSamePixels(as: images[1]) && !images[0].hasSamePixels(as: ImageCodecs.decode(data, size: size)))
    }
  }

  /// In the fixture, a profile of a megabyte is compressed to a kilobyte.
  @Test func `a profile that is larger than 512 kilobytes is ignored before it is inflated`() throws {
    #expect(try ColorFile.ignoredProfile(of: ColorFile.data("bomb.png")) == "it is larger than 512 kilobytes")
    let large: Chunk = try ("iCCP", ColorFile.compressed(ColorFile.profile("p3") + Data(count: 600_000)))
    #expect(try ColorFile.ignoredProfile(of: ColorFile.png(large)) == "it is larger than 512 kilobytes")
  }

  @Test func `a profile whose compressed data is broken is ignored`() throws {
    let whole = try ColorFile.compressed(ColorFile.profile("p3"))
    for content in [whole.prefix(9), whole.prefix(16), whole.dropLast(100), Data(count: 80), Data("name".utf8), whole.prefix(8) + [1]] {
      #expect(try ColorFile.ignoredProfile(of: ColorFile.png(("iCCP", content))) != nil, "\(content.count)")
    }
  }
}
