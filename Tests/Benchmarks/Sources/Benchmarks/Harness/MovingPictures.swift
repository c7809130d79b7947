import CReference
import FutureImage
import Synchronization

/// Animated files of 800 × 600 pixels at 25 frames per second, in which a ball rolls over a photo.
enum MovingPictures {
  static let width = 800
  static let height = 600
  /// The duration of each frame in seconds.
  static let frameDuration = 0.04
  static var frameCount: Int { Effort.some(500) }
  /// The bytes of a frame's pixels.
  static let frameBytes = Double(width * height * 4)

  /// Returns a GIF, of about 550 KB if it has 500 frames.
  static func gif(width: Int = width, height: Int = height, frames: Int = frameCount) throws -> Data {
    let ground = try Pictures.picture(width: 768, height: 512, of: 0)
    guard let bitmap = ground.cgImage else { throw Pictures.Missing() }
    var count = 0
    let made = bitmap.withRGBA { rgba in
      // The pixels are valid during the call.
      let pixels = reference_pixels(
        rgba: rgba.bindMemory(to: UInt8.self).baseAddress, width: UInt32(bitmap.width), height: UInt32(bitmap.height))
      return reference_moving_gif(pixels, UInt32(width), UInt32(height), UInt32(frames), UInt32(frameDuration * 100), &count)
    }
    guard let made else { throw Pictures.Missing() }
    defer { free(made) }
    return Data(bytes: made, count: count)
  }

  /// Returns the number of frames of an animation; 1 for a still image.
  static func frames(of data: Data) throws -> Int {
    let decoder = FutureImage.Loader.Configuration().decoder
    return try decoder.animation(of: data, size: decoder.size(of: data))?.durations.count ?? 1
  }

  /// Returns the GIF in another format.
  static func converted(_ gif: Data, to format: FutureImage.Encoding.Format) async throws -> Data {
    try await FutureImage.Loader.shared.encoded(gif, as: FutureImage.Encoding(format)).data
  }
}

/// A decoder that calls the platform's decoder, and counts the frames of animations that it decodes.
final class CountingDecoder: FutureImage.ImageDecoder {
  private let decoder = FutureImage.Loader.Configuration().decoder
  private let counts = Mutex(Counts())

  struct Counts {
    /// The number of frames that were decoded.
    var frames = 0
    fileprivate var bitmaps: [WeakBitmap] = []
    /// The highest number of decoded frames that were in memory at once.
    var framesInMemory = 0
    /// The highest number of bytes that an animation retained between two frames, which is the size of its canvas.
    var heldBytes = 0
  }

  fileprivate struct WeakBitmap {
    weak var bitmap: CGImage?
  }

  var current: Counts { counts.withLock { $0 } }

  func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { try decoder.decode(data, size: size) }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> (any FutureImage.Animation)? {
    try decoder.animation(of: data, size: size).map { Counted($0, self) }
  }

  private final class Counted: FutureImage.Animation {
    private let animation: any FutureImage.Animation
    private let decoder: CountingDecoder

    init(_ animation: any FutureImage.Animation, _ decoder: CountingDecoder) {
      self.animation = animation
      self.decoder = decoder
    }

    var durations: [TimeInterval] { animation.durations }
    var playCount: Int { animation.playCount }
    var heldBytes: Int { animation.heldBytes }

    func frame(at index: Int) throws -> CGImage {
      let bitmap = try animation.frame(at: index)
      let heldBytes = animation.heldBytes
      decoder.counts.withLock { counts in
        counts.frames += 1
        counts.heldBytes = max(counts.heldBytes, heldBytes)
        counts.bitmaps.removeAll { $0.bitmap == nil }
        counts.bitmaps.append(WeakBitmap(bitmap: bitmap))
        counts.framesInMemory = max(counts.framesInMemory, counts.bitmaps.count)
      }
      return bitmap
    }
  }
}
