import Foundation
import UIKitStandIn

/// The frames of an animated image, in order.
struct ImageAnimation {
  var frames: [(image: CGImage, milliseconds: Int)] = []
  let plays: Int
}

extension ImageCodecs {
  /// Returns the first frames of an animated image; nil for a still image.
  /// - Parameters:
  ///   - most: the largest number of frames to read.
  ///   - onDamage: called with the largest share of rows that are missing from a frame, if rows are missing.
  ///   - onIgnoredProfile: called with the reason why the color profile is not used, if it is not used.
  static func animation(
    of data: Data, size: PixelSize? = nil, most: Int = .max, limits: CodecLimits = CodecLimits(), onDamage: (Double) -> Void = { _ in },
    onIgnoredProfile: (String) -> Void = { _ in }
  ) throws(CodecError) -> ImageAnimation? {
    guard let reader = try AnimationReader(data, size: size, limits: limits) else { return nil }
    var animation = ImageAnimation(plays: reader.plays)
    while animation.frames.count < most, let image = try reader.next() {
      animation.frames.append((image, reader.milliseconds[animation.frames.count]))
    }
    if reader.missing > 0 { onDamage(reader.missing) }
    if let reason = reader.ignoredProfile { onIgnoredProfile(reason) }
    return animation
  }
}
