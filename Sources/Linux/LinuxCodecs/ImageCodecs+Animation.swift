import CImageCodecs
import Foundation

/// The frames of an animated image, in order, each as displayed.
package struct ImageAnimation: Sendable {
  package struct Frame: Sendable {
    package let image: CGImage
    /// The duration of the frame. Values of 10 or less in the file become 100, as in browsers.
    package fileprivate(set) var milliseconds: Int
  }

  package let frames: [Frame]
  /// The number of times to play the animation; 0 means forever.
  package let plays: Int
}

extension ImageCodecs {
  /// Returns the description of an animated image; nil for a still image.
  package static func animationInfo(of data: Data, limits: CodecLimits = CodecLimits()) throws(CodecError) -> ImageInfo? {
    guard try Entries.of(data).animate != nil else { return nil }
    let info = try info(of: data, limits: limits)
    return info.frames > 1 ? info : nil
  }

  /// Returns the frames at `size` in pixels, which has the same meaning as in ``decode(_:size:limits:applyingOrientation:)``. Returns nil
  /// for a still image. Also returns nil if no frame after the first is intact and within the limits.
  ///
  /// A broken frame after the first ends the animation. A file that ends early is an error, as with still images.
  ///
  /// - Parameters:
  ///   - frames: the frames to return. At most `most` frames are read from the file. The first of these and every `stride`-th frame after
  ///     it are returned. The duration of a returned frame includes the durations of the frames that are left out after it.
  ///   - onDamage: called at most once, for the frame that lacks the most rows. For its argument, see
  ///     ``decode(_:size:limits:applyingOrientation:onDamage:onIgnoredProfile:)``.
  ///   - onIgnoredProfile: called with the reason why the color profile is not used, if it is not used.
  package static func animation(
    of data: Data, size: PixelSize? = nil, frames part: (most: Int, stride: Int) = (.max, 1), limits: CodecLimits = CodecLimits(),
    onDamage: (_ missing: Double) -> Void = { _ in }, onIgnoredProfile: (_ reason: String) -> Void = { _ in }
  ) throws(CodecError) -> ImageAnimation? {
    guard let info = try animationInfo(of: data, limits: limits), let animate = try Entries.of(data).animate else { return nil }
    let target = info.size(atMost: size)
    defer { if takesMuch(data, info) { cic_return_memory() } }
    var frames: [ImageAnimation.Frame] = []
    var missing = 0.0
    var ignored: String?
    try withAnimation(data, limits, animate) { (animation) throws(CodecError) in
      var count = 0
      while count < part.most, let frame = try next(animation, target) {
        if count % part.stride == 0 { frames.append(frame) } else { frames[frames.count - 1].milliseconds += frame.milliseconds }
        count += 1
      }
      missing = cic_animation_missing(animation)
      // The text is a constant of the C code.
      ignored = cic_animation_ignored_profile(animation).map { String(cString: $0) }
    }
    guard frames.count > 1 else { return nil }
    if missing > 0 { onDamage(missing) }
    if let ignored { onIgnoredProfile(ignored) }
    return ImageAnimation(frames: frames, plays: info.plays)
  }

  /// Opens the animation and calls the body. Does not call the body if the limits are exceeded or memory does not suffice.
  private static func withAnimation(
    _ data: Data, _ limits: CodecLimits, _ animate: Entries.Animate, _ body: (OpaquePointer) throws(CodecError) -> Void
  ) throws(CodecError) {
    // The C functions read the bytes until the animation is closed, which happens within this call.
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

  /// Returns nil, not an error, if the limits are exceeded or memory does not suffice, because the first frame may still fit.
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

  /// Returns the next frame; nil at the end of the animation.
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
