import Foundation
import FutureImageTesting

@testable import FutureImage

/// A decoder of animations whose frames have plain colors. It records the index of each frame that it decodes. A test can hold the
/// ``gate``, so that the decodes of all frames but the first wait.
final class FrameDecoder: FutureImage.ImageDecoder {
  /// The content of a file for this decoder. The file is encoded as JSON.
  struct File: Codable {
    var durations: [Double] = [0.1, 0.1, 0.1, 0.1, 0.1]
    var plays = 0
    /// The index of the color of the first frame.
    var first = 0
    /// The index of the first frame that cannot be decoded; nil if all can be decoded.
    var broken: Int?
  }

  /// A gate through which each frame after the first passes.
  final class Gate: Sendable {
    /// The semaphores of the threads that wait; nil while the gate is open.
    private let waiting = Lock<[DispatchSemaphore]?>(nil)

    func hold() { waiting.withLock { $0 = [] } }

    func open() {
      for turn in waiting.withLock({ $0.take() }) ?? [] { turn.signal() }
    }

    fileprivate func pass() {
      let turn = waiting.withLock { waiting -> DispatchSemaphore? in
        guard waiting != nil else { return nil }
        let turn = DispatchSemaphore(value: 0)
        waiting?.append(turn)
        return turn
      }
      turn?.wait()
    }
  }

  static let canvasBytes = 1_000
  let decoded = Lock<[Int]>([])
  let gate = Gate()

  /// Returns the color of a frame.
  static func color(_ index: Int) -> TestColor { TestColor(red: 20 * index + 5, green: 100, blue: 10 * index) }

  func size(of data: Data) throws -> FutureImage.PixelSize {
    _ = try JSONDecoder().decode(File.self, from: data)
    return FutureImage.PixelSize(width: 600, height: 450)
  }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
    try Self.image(try JSONDecoder().decode(File.self, from: data).first, size)
  }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> (any FutureImage.Animation)? {
    let file = try JSONDecoder().decode(File.self, from: data)
    return file.durations.count > 1 ? Frames(file, size, self) : nil
  }

  private static func image(_ index: Int, _ size: FutureImage.PixelSize) throws -> CGImage {
    let color = color(index)
    guard var pixels = FutureImage.PixelBuffer(width: size.width, height: size.height) else { throw FutureImage.Failure(.outOfMemory) }
    pixels.withBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 4) {
        (bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]) = (
          UInt8(color.red), UInt8(color.green), UInt8(color.blue), 255
        )
      }
    }
    guard let image = pixels.makeImage() else { throw FutureImage.Failure(.outOfMemory) }
    return image
  }

  private final class Frames: FutureImage.Animation {
    let file: File
    let size: FutureImage.PixelSize
    let decoder: FrameDecoder

    init(_ file: File, _ size: FutureImage.PixelSize, _ decoder: FrameDecoder) {
      self.file = file
      self.size = size
      self.decoder = decoder
    }

    var durations: [TimeInterval] { file.durations }
    var playCount: Int { file.plays }
    var heldBytes: Int { FrameDecoder.canvasBytes }

    func frame(at index: Int) throws -> CGImage {
      if index > 0 { decoder.gate.pass() }
      decoder.decoded.withLock { $0.append(index) }
      if let broken = file.broken, index >= broken { throw FutureImage.Failure(.undecodable("the frame is broken")) }
      return try FrameDecoder.image(file.first + index, size)
    }
  }
}
