import Foundation
import Testing
import UIKitStandIn

/// Profiles in several segments of a JPEG, and profiles that cannot be used. An image whose profile cannot be used has its stored colors,
/// and the decoder reports the reason.
@Suite("Faulty color profiles", .timeLimit(.minutes(5)))
struct ColorProfileFaultTests {
  private static func parts(of profile: Data, count: Int) -> [(number: Int, count: Int, part: Data)] {
    let size = (profile.count + count - 1) / count
    return (1...count).map { number in (number, count, Data(profile.dropFirst((number - 1) * size).prefix(size))) }
  }

  private func result(_ data: Data) throws -> (image: CGImage, reason: String?) {
    try (ImageCodecs.decode(data), ColorFile.ignoredProfile(of: data))
  }

  @Test func `the segments of a profile are joined in the order of their numbers, whatever their order in the file`() throws {
    let profile = try ColorFile.profile("p3")
    let single = try ImageCodecs.decode(ColorFile.jpeg(profile: profile))
    #expect(try !single.hasSamePixels(as: ColorFile.image("plain.jpg")))
    for count in [2, 3, 40, 255] {
      let parts = Self.parts(of: profile, count: count)
      for order in [parts, parts.reversed(), Array(parts.dropFirst()) + parts.prefix(1)] {
        let (image, reason) = try result(ColorFile.jpeg(order))
        #expect(image.hasSamePixels(as: single) && reason == nil, "\(count)")
      }
    }
  }

  @Test func `a profile whose segments are missing or contradict each other is ignored`() throws {
    let plain = try ColorFile.image("plain.jpg")
    let parts = Self.parts(of: try ColorFile.profile("p3"), count: 3)
    let (missing, contradiction) = ("a part of it is missing", "its parts contradict each other")
    let cases: [(String, [(number: Int, count: Int, part: Data)])] = [
      (missing, [parts[0], parts[2]]), (missing, [parts[1]]), (contradiction, [parts[0], parts[0], parts[1], parts[2]]),
      (contradiction, [parts[0], (2, 4, parts[1].part), parts[2]]), (contradiction, [(0, 3, parts[0].part), parts[1], parts[2]]),
      (contradiction, [(4, 3, parts[0].part)]), (contradiction, [(1, 0, parts[0].part)])
    ]
    for (expected, segments) in cases {
      let (image, reason) = try result(ColorFile.jpeg(segments))
      #expect(image.hasSamePixels(as: plain) && reason == expected)
    }
  }

  /// Returns the profile with other bytes at a position.
  private func changed(_ profile: Data, _ position: Int, _ bytes: [UInt8]) -> Data {
    var profile = profile
    profile.replaceSubrange(position..<position + bytes.count, with: bytes)
    return profile
  }

  @Test func `a broken profile is ignored`() throws {
    let plain = try ColorFile.image("plain.jpg")
    let profile = try ColorFile.profile("p3")
    let curve = try #require(profile.range(of: Data("para".utf8))).lowerBound
    let color = try #require(profile.range(of: Data("rXYZ".utf8), in: 128..<300)).lowerBound
    let name = try #require(profile.range(of: Data("desc".utf8))).lowerBound
    let cases: [(String, Data)] = try [
      ("it ends early", Data()), ("it ends early", profile.prefix(100)), ("it ends early", profile.dropLast()),
      ("it is broken", changed(profile, 36, [0])), ("it is broken", changed(profile, 0, [0, 0, 0, 9])),
      ("it is broken", changed(profile, 128, [0, 0, 0, 0])), ("it is broken", changed(profile, curve, [0])),
      ("it is broken", changed(profile, curve + 8, [0, 5])), ("it is broken", changed(profile, color + 4, [0xFF, 0xFF, 0xFF, 0xFF])),
      ("it is broken", changed(profile, color + 8, [0xFF, 0xFF, 0xFF, 0xFF])), ("it is broken", changed(profile, color, [0])),
      ("it is of a kind that images do not have", changed(profile, 12, Array("link".utf8))),
      ("it is of a kind that images do not have", changed(profile, 20, Array("Luv ".utf8))),
      ("it is of a kind that images do not have", changed(profile, 8, [5])),
      ("it is for another kind of color than the image's", changed(profile, 16, Array("HSV ".utf8))),
      ("it is for another kind of color than the image's", ColorFile.profile("gray")),
      ("it is for another kind of color than the image's", ColorFile.profile("cmyk")),
      ("it has a kind of table that is not read", changed(profile, name, Array("D2B0".utf8)))
    ]
    for (index, (expected, profile)) in cases.enumerated() {
      let (image, reason) = try result(ColorFile.jpeg(profile: profile))
      #expect(image.hasSamePixels(as: plain) && reason == expected, "case \(index): \(reason ?? "nil")")
    }
  }

  @Test func `a profile with extreme numbers is ignored or gives some colors, without a crash`() throws {
    for name in ["p3", "adobe", "srgb-table", "linear"] {
      let profile = try ColorFile.profile(name)
      for start in stride(from: 128, to: min(profile.count, 1_000) - 4, by: 4) {
        for bytes in [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 0]] as [[UInt8]] {
          let data = try ColorFile.jpeg(profile: changed(profile, start, bytes))
          #expect(try ImageCodecs.decode(data, size: PixelSize(width: 4, height: 3)).width == 4)
        }
      }
    }
  }

  @Test func `a broken profile of a WebP is ignored, and an animated WebP reports the profile once`() throws {
    let plain = try ColorFile.image("plain.webp")
    var data = try ColorFile.data("p3.webp")
    let profile = try #require(data.range(of: Data("acsp".utf8)))
    data[profile.lowerBound] = 0
    let (image, reason) = try result(data)
    #expect(image.hasSamePixels(as: plain) && reason == "it is broken")
    var frames = try ColorFile.data("p3-frames.webp")
    frames[try #require(frames.range(of: Data("acsp".utf8))).lowerBound] = 0
    var reasons: [String] = []
    _ = try ImageCodecs.animation(of: frames, onIgnoredProfile: { reasons.append($0) })
    #expect(reasons == ["it is broken"])
  }

  @Test(
    .enabled(if: AVIFDecodingTests.isInstalled && HEICDecodingTests.isInstalled), arguments: ["pq-numbers.avif", "pq-numbers.heic"])
  func `if an AVIF or a HEIC has HDR levels, the levels are shown without conversion, and the reason is reported`(file: String) throws {
    let (image, reason) = try result(ColorFile.data(file))
    #expect(reason == "it describes the levels of HDR, which are shown without conversion")
    #expect(try image.meanColorDifference(from: ColorFile.image("plain.png")) < 1)
  }

  @Test func `gray pixels can have a profile for RGB`() throws {
    let data = try ColorFile.data("gray.jpg")
    let start = try #require(data.range(of: Data("ICC_PROFILE\0".utf8))).lowerBound - 4
    let length = Int(data[start + 2]) << 8 | Int(data[start + 3])
    let profile = try ColorFile.profile("generic")
    let size = profile.count + 16
    let segment = [0xFF, 0xE2, UInt8(size >> 8), UInt8(size & 0xFF)] + Data("ICC_PROFILE\0".utf8) + [1, 1] + profile
    let (image, reason) = try result(data.prefix(start) + segment + data.dropFirst(start + 2 + length))
    #expect(try reason == nil && image.meanColorDifference(from: ColorFile.image("gray.jpg")) <= 0.25)
    #expect((0..<64).allSatisfy { image.pixel($0, 5).x == image.pixel($0, 5).y && image.pixel($0, 5).x == image.pixel($0, 5).z })
  }

  @Test(.enabled(if: ColorFile.hasLittleCMS))
  func `the memory for the tables of a profile counts toward the limit of held bytes`() throws {
    var limits = CodecLimits()
    limits.maxHeldBytes = 4 << 20
    #expect(try ColorFile.ignoredProfile(of: ColorFile.data("table.png"), limits: limits) == "it takes more memory than allowed")
    #expect(try ColorFile.ignoredProfile(of: ColorFile.data("p3.png"), limits: limits) == nil)
    // A CMYK JPEG whose profile is ignored is shown as if it had no profile.
    #expect(try ColorFile.ignoredProfile(of: ColorFile.data("cmyk.jpg"), limits: limits) == "it takes more memory than allowed")
  }

  @Test(.disabled(if: ColorFile.hasLittleCMS))
  func `without little CMS, a profile with tables or a profile for CMYK is ignored, and the reason names the package to install`() throws {
    let install = "need little CMS; install the Debian package liblcms2-2"
    #expect(try ColorFile.ignoredProfile(of: ColorFile.data("table.png")) == "profiles with tables \(install)")
    #expect(try ColorFile.ignoredProfile(of: ColorFile.data("cmyk.jpg")) == "profiles for CMYK \(install)")
  }

  @Test(.enabled(if: ColorFile.hasLittleCMS))
  func `a damaged table is ignored or gives some colors, without a crash`() throws {
    for name in ["table", "cmyk"] {
      let profile = try ColorFile.profile(name)
      let file = try ColorFile.data("\(name).jpg")
      let place = try #require(file.range(of: profile))
      let table = try #require(profile.range(of: Data("mft2".utf8))).lowerBound
      for position in Array(stride(from: 128, to: 200, by: 3)) + Array(table..<table + 60) {
        for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
          let data = file.prefix(place.lowerBound) + changed(profile, position, [value]) + file.suffix(from: place.upperBound)
          #expect(try ImageCodecs.decode(data, size: PixelSize(width: 4, height: 3)).width == 4)
        }
      }
    }
  }
}
