#if canImport(UIKit)
extension AppGroup {
  /// Whether this program is an app extension.
  static var isExtension: Bool { isExtension(Bundle.main.bundleURL) }

  /// Returns the folder for caches in the group's container.
  ///
  /// On iOS the container of a group is nil for a program that is not a member (Apple,
  /// `containerURL(forSecurityApplicationGroupIdentifier:)`).
  static func cachesDirectory(_ identifier: String) throws(FutureImage.FileFailure) -> URL {
    guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) else {
      throw FutureImage.FileFailure(.noContainer, path: identifier)
    }
    return container.appendingPathComponent("Library/Caches", isDirectory: true)
  }
}
#endif
