import Foundation
import Testing

@testable import FutureImage

/// A hash that a reference encoder made of an image, read from a line of `Fixtures/placeholder-hashes.txt`. A formula computes the image.
struct HashReference: Sendable, CustomTestStringConvertible {
  let hash: String
  let size: FutureImage.PixelSize
  /// The numbers of components of a BlurHash, across and down.
  let components: (columns: Int, rows: Int)
  private let kind: String
  private let seed: Int
  private let hasAlpha: Bool

  static let blurHashes = all.filter { $0.kind == "blur" }
  /// The BlurHashes of the format's own encoder, which takes the cosine at the leading edge of each pixel.
  static let edgeHashes = all.filter { $0.kind == "edge" }
  static let thumbHashes = all.filter { $0.kind == "thumb" }

  private static let all: [Self] = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try? String(contentsOf: tests.appendingPathComponent("Fixtures/placeholder-hashes.txt"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap { Self($0) }
  }()

  private init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    let numbers = fields.dropFirst(2).compactMap { Int($0) }
    guard numbers.count >= 4, numbers.count == fields.count - 2 else { return nil }
    (kind, hash) = (String(fields[0]), String(fields[1]))
    size = FutureImage.PixelSize(width: numbers[0], height: numbers[1])
    (seed, hasAlpha) = (numbers[2], numbers[3] == 1)
    components = numbers.count == 6 ? (numbers[4], numbers[5]) : (0, 0)
  }

  /// The image. The formula is that of `Fixtures/make-placeholder-hashes`.
  var pixels: FutureImage.PixelBuffer {
    func wave(_ value: Int) -> Int { min(value % 512, 511 - value % 512) }
    return FutureImage.PixelBuffer(size.width, size.height) { x, y in
      let (u, v) = (x * 256 / size.width, y * 256 / size.height)
      var color = [wave(u + 37 * seed), wave(2 * v + 91 * seed), wave(u + v + 59 * seed)]
      if (u - 96) * (u - 96) + (v - 140) * (v - 140) < 2500 { color = color.map { 255 - $0 } }
      let alpha = hasAlpha ? max(0, 255 - ((u - 128) * (u - 128) + (v - 128) * (v - 128)) / 100) : 255
      return SIMD4(UInt8(color[0]), UInt8(color[1]), UInt8(color[2]), UInt8(alpha))
    }
  }

  var testDescription: String { "\(hash) of \(size)" }
}
