import Foundation

/// Methods that prepare an image on other threads.
extension PlatformImage {
  /// The queue on which handlers are called. It is concurrent, because the caller limits the work.
  private static let preparation = DispatchQueue(label: "PlatformImage.preparation", qos: .userInitiated, attributes: .concurrent)

  static func prepare(_ make: @escaping @Sendable () -> PlatformImage?, _ completionHandler: @escaping @Sendable (PlatformImage?) -> Void) {
    preparation.async { completionHandler(make()) }
  }

  public func byPreparingForDisplay() async -> PlatformImage? {
    await withCheckedContinuation { continuation in
      prepareForDisplay { continuation.resume(returning: $0) }
    }
  }

  /// - Parameter size: in points.
  public func byPreparingThumbnail(ofSize size: CGSize) async -> PlatformImage? {
    await withCheckedContinuation { continuation in
      prepareThumbnail(of: size) { continuation.resume(returning: $0) }
    }
  }
}
