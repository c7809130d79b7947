import Foundation
import Testing

@testable import FutureImage

/// The pixels that a reference decoder created from a hash, read from a line of `Fixtures/placeholders.txt`.
struct PlaceholderReference: Sendable, CustomTestStringConvertible {
  let hash: String
  let size: FutureImage.PixelSize
  /// The line has only the pixels whose coordinates are multiples of this number.
  private let step: Int
  private let levels: [UInt8]
  private let kind: String

  static let blurHashes = all.filter { $0.kind == "blur" }
  static let thumbHashes = all.filter { $0.kind == "thumb" }

  private static let all: [Self] = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try? String(contentsOf: tests.appendingPathComponent("Fixtures/placeholders.txt"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap { Self($0) }
  }()

  private init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.count == 6, let width = Int(fields[2]), let height = Int(fields[3]), let step = Int(fields[4]) else { return nil }
    (kind, hash, self.step) = (String(fields[0]), String(fields[1]), step)
    size = FutureImage.PixelSize(width: width, height: height)
    let digits = fields[5].compactMap(\.hexDigitValue)
    levels = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  /// Returns the difference, in levels, for each channel of each pixel that the line has. The result is empty if the sizes differ.
  func differences(of buffer: FutureImage.PixelBuffer) -> [Int] {
    guard buffer.width == size.width, buffer.height == size.height else { return [] }
    let mine = stride(from: 0, to: size.height, by: step).flatMap { y in
      stride(from: 0, to: size.width, by: step).flatMap { x in (0..<4).map { buffer[x, y][$0] } }
    }
    return mine.count == levels.count ? zip(mine, levels).map { abs(Int($0) - Int($1)) } : []
  }

  var testDescription: String { "\(hash) at \(size)" }
}
