#if canImport(CoreGraphics)
import os
#endif

/// An interval that Instruments shows, in the subsystem “FutureImage”: a lookup, a transfer, a decode, or a commit on the main actor. If
/// the loader reports an event with a duration for this work, the interval covers the same work. Linux has no such tool.
struct Signpost: Sendable {
  #if canImport(CoreGraphics)
  private static let signposter = OSSignposter(subsystem: "FutureImage", category: "images")
  private let name: StaticString
  private let state: OSSignpostIntervalState
  #endif

  /// - Parameter key: the key of the image, which contains no credentials.
  init(_ name: StaticString, _ key: String) {
    #if canImport(CoreGraphics)
    self.name = name
    state = Self.signposter.beginInterval(name, id: Self.signposter.makeSignpostID(), "\(key, privacy: .public)")
    #endif
  }

  func end() {
    #if canImport(CoreGraphics)
    Self.signposter.endInterval(name, state)
    #endif
  }
}
