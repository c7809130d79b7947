import CImageCodecs
import Foundation

/// The frames of an animated picture, in order, each as it is seen.
package struct ImageAnimation: Sendable {
  package struct Frame: Sendable {
    package let image: CGImage
    /// How long it is shown; what the file gives as 10 or less is 100, as in browsers.
    package let milliseconds: Int
  }

  package let frames: [Frame]
  /// How often it is meant to be played; 0 for ever.
  package let plays: Int
}

extension ImageCodecs {
  /// All frames at `size` in pixels, as ``decode(_:size:limits:applyingOrientation:)`` understands it. Nil for a still picture, and where
  /// the limits on frames, their bytes or their pixels together allow the first frame only.
  ///
  /// A broken frame behind the first ends the animation; a file that ends early is an error as with stills.
  ///
  /// - Parameter onDamage: Called as by ``decode(_:size:limits:applyingOrientation:onDamage:)``, for the frame that misses most.
  package static func animation(
    of data: Data, size: PixelSize? = nil, limits: CodecLimits = CodecLimits(), onDamage: (_ missing: Double) -> Void = { _ in }
  ) throws(CodecError) -> ImageAnimation? {
    let entries = try Entries.of(data)
    guard let animate = entries.animate else { return nil }
    let info = try info(of: data, limits: limits)
    let target = info.size(atMost: size)
    guard 2...max(2, limits.maxFrames) ~= info.frames, info.frames <= limits.maxAnimationBytes / target.bytes else { return nil }
    defer { if takesMuch(data, info) { cic_return_memory() } }
    var frames: [ImageAnimation.Frame] = []
    var missing = 0.0
    try withAnimation(data, limits, animate) { (animation) throws(CodecError) in
      while let frame = try next(animation, target) { frames.append(frame) }
      missing = cic_animation_missing(animation)
    }
    guard frames.count > 1 else { return nil }
    if missing > 0 { onDamage(missing) }
    return ImageAnimation(frames: frames, plays: info.plays)
  }

  /// Does not call the body where the limits are exceeded, or memory does not suffice.
  private static func withAnimation(
    _ data: Data, _ limits: CodecLimits, _ animate: Entries.Animate, _ body: (OpaquePointer) throws(CodecError) -> Void
  ) throws(CodecError) {
    // The C side reads the bytes until it is closed, which is within this call.
    let result: Result<Void, CodecError> = data.withUnsafeBytes { buffer in
      Result { () throws(CodecError) in
        let input = cic_input(bytes: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count: buffer.count, is_beginning: false)
        guard let animation = try open(input, limits, animate) else { return }
        defer { cic_animation_close(animation) }
        try body(animation)
      }
    }
    try result.get()
  }

  /// Nil where the limits are exceeded, or memory does not suffice: then the first frame may.
  private static func open(_ input: cic_input, _ limits: CodecLimits, _ animate: Entries.Animate) throws(CodecError) -> OpaquePointer? {
    var cLimits = cic_limits(limits)
    var animation: OpaquePointer?
    do throws(CodecError) {
      try call { animate(input, &cLimits, &animation, $0) }
    } catch {
      switch error {
      case .tooLarge, .outOfMemory: break
      default: throw error
      }
    }
    return animation
  }

  /// Nil after the last one.
  private static func next(_ animation: OpaquePointer, _ size: PixelSize) throws(CodecError) -> ImageAnimation.Frame? {
    var milliseconds: UInt32 = 0
    var isEnded = false
    let image = try CGImage(width: size.width, height: size.height) { pixels throws(CodecError) in
      var target = cic_target(pixels, size)
      try call { cic_animation_next(animation, &target, &milliseconds, &isEnded, $0) }
    }
    guard let image else { throw .outOfMemory }
    return isEnded ? nil : ImageAnimation.Frame(image: image, milliseconds: Int(milliseconds))
  }
}
