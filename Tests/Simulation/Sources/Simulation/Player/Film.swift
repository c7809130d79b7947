import Foundation

@testable import FutureImage

/// A file of an animation whose frames have one color each. The color states the film, its version, and the index of the frame.
struct Film: Hashable {
  static let size = FutureImage.PixelSize(width: 64, height: 48)
  static let names = ["0", "1", "2"]
  /// The version that plays forever, and whose frames can all be decoded.
  static let lastVersion = 9
  /// The seconds for which each frame is shown at normal speed. At the highest speed in the test, this time is halved. The halved time must
  /// be longer than the delay of the timers that the simulation always fires (see ``Simulator/horizon``).
  static let frameDuration = 0.2

  let number: Int
  let version: Int

  init(number: Int, version: Int) {
    (self.number, self.version) = (number, version)
  }

  /// Creates the film that a file contains; nil for another file.
  init?(_ data: Data) {
    let bytes = Array(data)
    guard bytes.count == 3, bytes[0] == 0xF1 else { return nil }
    self.init(number: Int(bytes[1]), version: Int(bytes[2]))
  }

  var data: Data { Data([0xF1, UInt8(number), UInt8(version)]) }

  var frameCount: Int { version == Self.lastVersion ? 5 : 2 + (number + version) % 5 }
  var playCount: Int { version == Self.lastVersion ? 0 : [0, 0, 1, 2][version % 4] }
  /// The number of frames before the first frame that cannot be decoded.
  var playableCount: Int { version % 3 == 1 ? max(1, frameCount / 2) : frameCount }

  func image(of index: Int, _ size: FutureImage.PixelSize) -> CGImage? {
    let pixel = [UInt8(number + 1), UInt8(version), UInt8(index), 255]
    return SampleImage.cgImage(size.width, size.height, (0..<size.width * size.height).flatMap { _ in pixel })
  }
}

/// A frame of a film, as the color of its pixels states it.
struct FilmFrame: Hashable {
  let film: Film
  let index: Int
  let width: Int

  /// Creates the frame that an image shows; nil if the image is not a frame. A placeholder, whose pixels are clear, is not a frame.
  init?(_ image: UIImage?) {
    guard let image, let color = image.color, color.red > 0, let pixels = image.cgImage else { return nil }
    self.init(film: Film(number: color.red - 1, version: color.green), index: color.blue, width: pixels.width)
  }

  init(film: Film, index: Int, width: Int) {
    (self.film, self.index, self.width) = (film, index, width)
  }
}
