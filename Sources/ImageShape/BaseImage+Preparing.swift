import Foundation

/// Methods that prepare an image on other threads.
extension BaseImage {
  /// The queue on which handlers are called. It is concurrent, because callers limit the number of images that they prepare at a time.
  private static let preparation = DispatchQueue(label: "BaseImage.preparation", qos: .userInitiated, attributes: .concurrent)

  static func prepare(_ make: @escaping @Sendable () -> BaseImage?, _ completionHandler: @escaping @Sendable (BaseImage?) -> Void) {
    preparation.async { completionHandler(make()) }
  }

  public func byPreparingForDisplay() async -> BaseImage? {
    await withCheckedContinuation { continuation in
      prepareForDisplay { continuation.resume(returning: $0) }
    }
  }

  /// - Parameter size: in points.
  public func byPreparingThumbnail(ofSize size: CGSize) async -> BaseImage? {
    await withCheckedContinuation { continuation in
      prepareThumbnail(of: size) { continuation.resume(returning: $0) }
    }
  }
}
