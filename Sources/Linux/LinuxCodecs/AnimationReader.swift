import CImageCodecs
import Foundation

/// Reads the frames of an animated image in order. Each frame is complete: it is the image that a viewer sees while the frame is shown. The
/// reader retains a canvas between two frames. One thread at a time may use it.
///
/// A broken frame after the first ends the animation.
package final class AnimationReader {
  /// The durations of the frames in milliseconds. Values of 10 or less in the file become 100, as in browsers.
  package let milliseconds: [Int]
  /// The number of times to play the animation; 0 means forever.
  package let plays: Int
  /// The bytes that the reader needs between two frames, in addition to the file.
  package let heldBytes: Int
  private let size: PixelSize
  private let orientation: ExifOrientation
  private let data: Data
  /// The address that the bytes had when the animation was opened. The C functions read the bytes there.
  private let address: UnsafeRawPointer?
  private let animation: OpaquePointer

  /// Opens an animated image. Returns nil for a still image.
  /// - Parameter size: the size of the frames in pixels; nil for the size of the image.
  /// - Throws: `.tooLarge` if the canvas exceeds a limit, and other errors as for still images. A file that ends early is an error.
  package init?(_ data: Data, size: PixelSize? = nil, limits: CodecLimits = CodecLimits()) throws(CodecError) {
    guard let animate = try ImageCodecs.Entries.of(data).animate else { return nil }
    let info = try ImageCodecs.info(of: data, limits: limits)
    guard info.frames > 1 else { return nil }
    var cLimits = cic_limits(limits)
    var (opened, address) = (nil as OpaquePointer?, nil as UnsafeRawPointer?)
    try ImageCodecs.call { message in
      data.withInput {
        address = UnsafeRawPointer($0.bytes)
        return animate($0, &cLimits, &opened, message)
      }
    }
    guard let animation = opened else { return nil }
    self.data = data
    self.address = address
    self.animation = animation
    self.size = info.size(atMost: size)
    orientation = info.orientation
    plays = info.plays
    milliseconds = (0..<cic_animation_frames(animation)).map { Int(cic_animation_milliseconds(animation, $0)) }
    heldBytes = Int(cic_animation_held_bytes(animation))
  }

  // Closing an animation reads no bytes of the file.
  deinit { cic_animation_close(animation) }

  /// Returns the next frame, upright; nil at the end of the animation.
  package func next() throws(CodecError) -> CGImage? {
    var isEnded = false
    let image = try CGImage(width: size.width, height: size.height, isFrame: true) { pixels throws(CodecError) in
      var target = cic_target(pixels, size.swapped(if: orientation.swapsAxes), orientation)
      try call { cic_animation_next(animation, &target, &isEnded, $0) }
    }
    guard let image else { throw .outOfMemory }
    return isEnded ? nil : image
  }

  /// Draws the next frame on the canvas, and makes no image of it.
  /// - Returns: whether there was a frame.
  package func skip() throws(CodecError) -> Bool {
    var isEnded = false
    try call { cic_animation_next(animation, nil, &isEnded, $0) }
    return !isEnded
  }

  /// Calls a C function that reads the bytes at the address that they had when the animation was opened. `withInput` keeps the bytes valid
  /// during the call. They never change, so they do not move. But `Data` does not promise this, so the address is checked.
  private func call(_ body: (UnsafeMutablePointer<CChar>?) -> cic_status) throws(CodecError) {
    try ImageCodecs.call { message in
      data.withInput { UnsafeRawPointer($0.bytes) == address ? body(message) : .CIC_NO_MEMORY }
    }
  }

  /// The largest share of rows that are missing from any frame so far.
  package var missing: Double { cic_animation_missing(animation) }

  /// The reason why the color profile is not used; nil if it is used, or if there is none.
  package var ignoredProfile: String? {
    // The text is a constant of the C code.
    cic_animation_ignored_profile(animation).map { String(cString: $0) }
  }
}

extension ImageCodecs {
  /// Whether the bytes have a format whose animations can be decoded. The image may be a still image nevertheless.
  package static func isAnimated(_ data: Data) throws(CodecError) -> Bool { try Entries.of(data).animate != nil }
}
