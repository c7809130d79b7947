import Foundation
import Testing
import UIKitStandIn

/// The files in `Fixtures/color`, and copies of them with other descriptions of their colors.
enum ColorFile {
  /// Whether little CMS is installed on this machine.
  static let hasLittleCMS = (try? ignoredProfile(of: data("table.png"))) == .some(nil)

  static func data(_ name: String) throws -> Data { try Fixture.data("color/\(name)") }

  static func image(_ name: String, size: PixelSize? = nil) throws -> CGImage { try ImageCodecs.decode(data(name), size: size) }

  /// Returns the reason for which the decoder ignores the color profile; nil if the decoder ignores no profile.
  static func ignoredProfile(of data: Data, limits: CodecLimits = CodecLimits()) throws -> String? {
    var reason: String?
    _ = try ImageCodecs.decode(data, limits: limits, onIgnoredProfile: { reason = $0 })
    return reason
  }

  /// Returns the ICC profile of a JPEG that has it in one segment.
  static func profile(_ name: String) throws -> Data {
    let data = try data("\(name).jpg")
    let start = try #require(data.range(of: Data("ICC_PROFILE\0".utf8)))
    let length = Int(data[start.lowerBound - 2]) << 8 | Int(data[start.lowerBound - 1])
    return Data(data[start.upperBound + 2..<start.lowerBound - 2 + length])
  }

  // MARK: JPEG

  /// Returns the JPEG that has no profile of its own, with the given APP2 segments added. In each segment, the number of the segment and
  /// the count of all segments precede the part of the profile.
  static func jpeg(_ segments: [(number: Int, count: Int, part: Data)]) throws -> Data {
    let data = try data("plain.jpg")
    let added = segments.reduce(Data()) { joined, segment in
      let length = segment.part.count + 16
      return joined + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + Data("ICC_PROFILE\0".utf8)
        + [UInt8(segment.number), UInt8(segment.count)] + segment.part
    }
    return data.prefix(2) + added + data.dropFirst(2)
  }

  static func jpeg(profile: Data) throws -> Data { try jpeg([(1, 1, profile)]) }

  // MARK: PNG

  /// Returns the PNG that has no profile of its own, with the given chunks added after its header.
  static func png(_ chunks: (name: String, content: Data)..., to file: String = "color/plain.png") throws -> Data {
    let data = try Fixture.data(file)
    return data.prefix(33) + chunks.reduce(Data()) { $0 + chunk($1.name, $1.content) } + data.dropFirst(33)
  }

  static func chunk(_ name: String, _ content: Data) -> Data {
    let body = Data(name.utf8) + content
    return bigEndian(UInt32(content.count)) + body + bigEndian(checksum(body))
  }

  /// Returns the contents of an iCCP chunk. The profile is in stored blocks of deflate, which are not compressed.
  static func compressed(_ profile: Data) -> Data {
    var blocks = Data([0x78, 0x01])
    var rest = profile[...]
    repeat {
      let part = rest.prefix(65_535)
      rest = rest.dropFirst(part.count)
      let (low, high) = (UInt8(part.count & 0xFF), UInt8(part.count >> 8))
      blocks += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + part
    } while !rest.isEmpty
    var (first, second) = (UInt32(1), UInt32(0))
    for byte in profile {
      first = (first + UInt32(byte)) % 65_521
      second = (second + first) % 65_521
    }
    return Data("profile\0\0".utf8) + blocks + bigEndian(second << 16 | first)
  }

  static func bigEndian(_ number: UInt32) -> Data { Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }) }

  /// Returns the CRC of a chunk (PNG, annex D).
  private static func checksum(_ data: Data) -> UInt32 {
    ~data.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
    }
  }
}

extension CGImage {
  /// Returns the mean difference of the color channels, without alpha. Returns infinity if the sizes differ.
  func meanColorDifference(from other: CGImage) -> Double {
    guard width == other.width, height == other.height else { return .infinity }
    let differences = zip(bytes, other.bytes).enumerated().filter { $0.offset % 4 < 3 }.map { abs(Int($0.element.0) - Int($0.element.1)) }
    return Double(differences.reduce(0, +)) / Double(differences.count)
  }
}
